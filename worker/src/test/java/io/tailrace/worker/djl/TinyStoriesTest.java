package io.tailrace.worker.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.testkit.llama.ReferenceLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyLlama.Tensor;
import io.tailrace.worker.djl.TinyStories.Story;
import io.tailrace.worker.huggingface.StoredTensor;
import io.tailrace.worker.huggingface.WeightFiles;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TextTokenizer;
import io.tailrace.worker.model.TreeInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pretrained model, where it lies beside the repository. */
class TinyStoriesTest {
    private static final int TOKENS = 64;

    private static Path directory;
    private static LanguageModel model;
    private static List<Story> stories;

    @BeforeAll
    static void loadOnce() throws IOException {
        Optional<Path> found = TinyStories.find();
        assumeTrue(found.isPresent(), "no pretrained model beside the repository");
        directory = found.get();
        stories = TinyStories.stories(directory);
        model = DjlModels.load(ModelOptions.of(directory));
    }

    @AfterAll
    static void closeOnce() {
        if (model != null) {
            model.close();
        }
    }

    @Test
    void agreesWithTheReference() {
        Shape shape = new Shape(2048, 128, 384, 2, 8, 4, 16, 512, 10_000, null, true);
        ReferenceLlama reference = new ReferenceLlama(shape, 1e-6, weights(shape));
        for (Story story : stories.subList(0, 5)) {
            double[][] expected = reference.line(story.prompt());
            try (ModelSequence sequence = model.target().open()) {
                Logits logits = model.target().forward(List.of(TreeInput.line(sequence, story.prompt(), 0)));
                for (int node = 0; node < expected.length; node++) {
                    Agreement.requireRow(expected[node], logits, 0, node, 1e-4);
                }
            }
        }
    }

    private static Map<String, Tensor> weights(Shape shape) {
        WeightFiles files = WeightFiles.open(directory);
        List<String> names = new ArrayList<>(List.of("model.norm.weight", "lm_head.weight"));
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (String part : new String[] {
                "input_layernorm",
                "post_attention_layernorm",
                "self_attn.q_proj",
                "self_attn.k_proj",
                "self_attn.v_proj",
                "self_attn.o_proj",
                "mlp.gate_proj",
                "mlp.up_proj",
                "mlp.down_proj"
            }) {
                names.add("model.layers." + layer + "." + part + ".weight");
            }
        }
        Map<String, Tensor> weights = new HashMap<>();
        for (String name : names) {
            StoredTensor stored = files.tensor(name);
            int[] sizes =
                    Arrays.stream(stored.shape()).mapToInt(Math::toIntExact).toArray();
            weights.put(name, new Tensor(sizes, stored.floats()));
        }
        return weights;
    }

    @Test
    void plainGreedyDecodingSaysWhatWasRecorded() {
        decode(model.target(), stories, TOKENS, 8, 0, 1);
    }

    @Test
    void greedyDecodingWithDraftTreesSaysWhatWasRecorded() {
        decode(model.target(), stories.subList(0, 40), TOKENS, 1, 16, 2);
        decode(model.target(), stories, TOKENS, 8, 16, 3);
    }

    @Test
    @Tag("full")
    void wholeStoriesWithDraftTreesSayWhatWasRecorded() {
        for (int batch : new int[] {1, 4, 8, 32}) {
            for (int draft : new int[] {0, 1, 7, 31}) {
                decode(model.target(), stories, 384, batch, draft, batch * 100L + draft);
            }
        }
    }

    private static void decode(TargetModel target, List<Story> all, int tokens, int batch, int draft, long seed) {
        Random random = new Random(seed);
        List<GreedyRun> waiting = new ArrayList<>();
        all.forEach(story -> waiting.add(new GreedyRun(target, story, tokens)));
        List<GreedyRun> runs = new ArrayList<>(waiting);
        List<GreedyRun> running = new ArrayList<>();
        while (!waiting.isEmpty() || !running.isEmpty()) {
            while (running.size() < batch && !waiting.isEmpty()) {
                running.add(waiting.remove(0));
            }
            List<TreeInput> inputs = new ArrayList<>();
            running.forEach(run -> inputs.add(run.next(random, draft, target.vocabularySize())));
            Logits logits = target.forward(inputs);
            for (int input = 0; input < inputs.size(); input++) {
                running.get(input).take(logits, input);
            }
            running.stream().filter(GreedyRun::finished).forEach(GreedyRun::close);
            running.removeIf(GreedyRun::finished);
        }
        report(runs, batch, draft);
        assertThat(target.cacheTokensFree()).isEqualTo(target.cacheTokensMax());
    }

    private static void report(List<GreedyRun> runs, int batch, int draft) {
        int tokens = 0;
        int steps = 0;
        int tied = 0;
        for (int story = 0; story < runs.size(); story++) {
            assertThat(runs.get(story).error()).as("story %d", story).isNull();
            tokens += runs.get(story).said();
            steps += runs.get(story).steps();
            tied += runs.get(story).tied() ? 1 : 0;
        }
        System.out.printf(
                "%d stories, batch %d, drafts of %d: %d tokens in %d steps equal, %d near-ties%n",
                runs.size(), batch, draft, tokens, steps, tied);
        assertThat(tied).isLessThan(1 + runs.size() / 20);
    }

    @Test
    void storiesAreReadAsTextAndStreamedAsText() {
        for (Story story : stories) {
            TextTokenizer.TextStream stream = model.tokenizer().stream(new int[0]);
            StringBuilder text = new StringBuilder();
            for (int token : story.output()) {
                text.append(stream.append(token));
            }
            assertThat(text.append(stream.finish()))
                    .hasToString(model.tokenizer().decode(story.output()));
        }
        String prompt = model.tokenizer().decode(stories.get(0).prompt());
        assertThat(model.tokenizer().encode(prompt, true))
                .isEqualTo(stories.get(0).prompt());
        assertThat(model.endTokens()).containsExactly(2);
        assertThat(model.chat()).isEmpty();
    }
}
