package io.tailrace.worker.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.worker.djl.DjlModel;
import io.tailrace.worker.model.ModelOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drafts change how fast an answer comes, never what it says: real forward passes, every draft source, batch 1 and 8. */
class LosslessTest {
    private static final long SEED = 11;
    private static final Path PRETRAINED = Path.of("shared", "models", "tinystories-656k");

    @TempDir
    Path folder;

    @Test
    void aRandomModelSaysTheSameWithAnyDrafts() throws Exception {
        TinyLlama tiny = TinyLlama.random(Shape.small(), SEED);
        Path directory = ModelDirectory.write(folder, tiny, WeightType.F32, 1);
        Random random = new Random(SEED);
        List<int[]> prompts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int[] phrase = random.ints(6, 3, Shape.small().vocabularySize()).toArray();
            prompts.add(random.ints(10 + i, 0, 6).map(place -> phrase[place]).toArray());
        }
        try (DjlModel model = DjlModel.load(ModelOptions.of(directory))) {
            new LosslessMatrix(model, directory, prompts, 32).run();
        }
    }

    @Test
    void aPretrainedModelSaysTheSameWithAnyDrafts() throws Exception {
        pretrained(6, 32);
    }

    @Test
    @Tag("full")
    void aPretrainedModelSaysTheSameToSixtyPromptsWithAnyDrafts() throws Exception {
        pretrained(60, 48);
    }

    private static void pretrained(int prompts, int tokensMax) throws Exception {
        Path directory = find();
        try (DjlModel model = DjlModel.load(ModelOptions.of(directory))) {
            new LosslessMatrix(model, directory, prompts(directory, prompts), tokensMax).run();
        }
    }

    /** The recorded stories' prompts; as many more as are wanted are beginnings of their answers. */
    private static List<int[]> prompts(Path directory, int count) throws IOException {
        List<int[]> prompts = new ArrayList<>();
        List<String> lines = Files.readAllLines(directory.resolve("greedy.jsonl"));
        for (int i = 0; prompts.size() < count; i++) {
            JsonNode story = new ObjectMapper().readTree(lines.get(i % lines.size()));
            int more = 3 * (i / lines.size());
            int[] prompt = new int
                    [story.get("prompt").size()
                            + Math.min(more, story.get("output").size() / 2)];
            for (int place = 0; place < prompt.length; place++) {
                int behind = place - story.get("prompt").size();
                prompt[place] = behind < 0
                        ? story.get("prompt").get(place).intValue()
                        : story.get("output").get(behind).intValue();
            }
            prompts.add(prompt);
        }
        return prompts;
    }

    private static Path find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve(PRETRAINED).resolve("config.json"))) {
                return at.resolve(PRETRAINED);
            }
        }
        String absent = "NOT RUN: %s is in no folder above this one; drafts with a pretrained model are not checked"
                .formatted(PRETRAINED);
        System.out.println(absent);
        return Assumptions.abort(absent);
    }
}
