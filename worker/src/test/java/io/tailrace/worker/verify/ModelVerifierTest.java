package io.tailrace.worker.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.worker.decode.FakeDraft;
import io.tailrace.worker.djl.DjlModel;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.TargetModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelVerifierTest {
    private static final int VOCABULARY = Shape.small().vocabularySize();

    @TempDir
    static Path folder;

    private static TargetModel model;

    @BeforeAll
    static void loadOnce() throws IOException {
        TinyLlama tiny = TinyLlama.random(Shape.small(), 3);
        model = DjlModel.load(ModelOptions.of(ModelDirectory.write(folder, tiny, WeightType.F32, 1)));
    }

    @AfterAll
    static void closeOnce() {
        model.close();
    }

    @Test
    void whateverIsDraftedTheAnswerIsThatOfPlainDecoding() {
        Cases.forEachSeed(60, seed -> {
            Random random = new Random(seed);
            int[] prompt = random.ints(1 + random.nextInt(30), 0, VOCABULARY).toArray();
            ModelRequest request =
                    new ModelRequest(prompt, 1 + random.nextInt(40), new int[] {random.nextInt(VOCABULARY)});
            List<Integer> plain = decode(request, new Random(0), 0, List.of());
            List<Integer> drafted = decode(request, random, 12, plain);
            assertThat(drafted).isEqualTo(plain);
        });
        assertThat(model.cacheTokensFree()).isEqualTo(model.cacheTokensMax());
    }

    private static List<Integer> decode(ModelRequest request, Random random, int draftMax, List<Integer> truth) {
        List<Integer> answer = new ArrayList<>();
        Verdict verdict = new Verdict();
        try (VerifierSession session = new ModelVerifier(model, 7).begin(request)) {
            do {
                session.verify(draft(random, draftMax, truth, answer.size()), verdict);
                for (int place = 0; place < verdict.length(); place++) {
                    answer.add(verdict.tokens()[place]);
                }
                assertThat(verdict.length()).isEqualTo(verdict.accepted() + 1);
            } while (!verdict.finished());
            assertThatThrownBy(() -> session.verify(new FakeDraft(), verdict)).hasMessageContaining("has ended");
        }
        assertThat(answer.size()).isLessThanOrEqualTo(request.outputTokensMax());
        return answer;
    }

    /** Right tokens on one path, wrong ones beside it. */
    private static FakeDraft draft(Random random, int draftMax, List<Integer> truth, int from) {
        FakeDraft draft = new FakeDraft();
        int right = -1;
        int depth = from;
        int size = draftMax == 0 ? 0 : random.nextInt(draftMax + 1);
        for (int node = 0; node < size; node++) {
            if (depth < truth.size() && random.nextInt(3) > 0) {
                draft.node(right, truth.get(depth++));
                right = node;
            } else {
                draft.node(random.nextInt(node + 1) - 1, random.nextInt(VOCABULARY));
            }
        }
        return draft;
    }

    @Test
    void rightDraftsSaveSteps() {
        ModelRequest request = new ModelRequest(new int[] {5, 6, 7}, 30, new int[0]);
        List<Integer> plain = decode(request, new Random(0), 0, List.of());
        Verdict verdict = new Verdict();
        try (VerifierSession session = new ModelVerifier(model, 64).begin(request)) {
            FakeDraft draft = new FakeDraft();
            for (int node = 0; node < 29; node++) {
                draft.node(node - 1, plain.get(node));
            }
            session.verify(draft, verdict);
            assertThat(verdict.accepted()).isEqualTo(29);
            assertThat(verdict.finished()).isTrue();
            assertThat(verdict.verifiedTokens()).isEqualTo(30);
        }
    }
}
