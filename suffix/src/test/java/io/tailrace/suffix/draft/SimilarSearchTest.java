package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.testkit.Cases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimilarSearchTest {
    private final SimilarSearch search = new SimilarSearch();

    @Test
    void itFindsWhatComparingAllAnswersFinds() {
        Cases.forEachSeed(600, seed -> {
            Random random = new Random(seed);
            int alphabet = 2 + random.nextInt(120);
            SignedLane lane = SignedLane.of(random, 40, alphabet);
            NaiveSimilarity naive = new NaiveSimilarity(lane.answers());
            for (int i = 0; i < 3; i++) {
                PromptSignature prompt = PromptSignature.of(SignedLane.prompt(random, alphabet));
                assertThat(find(prompt, lane.index())).isEqualTo(tokens(naive.find(prompt), lane.answers()));
            }
        });
    }

    @Test
    void inALargeLaneTheLatestAnswersOfTheRarestTokensAreVisited() {
        Random random = new Random(3);
        List<RememberedAnswer> answers = new ArrayList<>();
        for (int i = 0; i < 12_000; i++) {
            int[] prompt = random.ints(20, 0, 60).toArray();
            answers.add(RememberedAnswer.of(prompt, 0, new int[] {i}));
        }
        LaneIndex lane = new LaneIndex(List.of(), FreshIndex.ofAnswers(answers), null);
        NaiveSimilarity naive = new NaiveSimilarity(answers);
        for (int i = 0; i < 3; i++) {
            PromptSignature prompt = PromptSignature.of(random.ints(20, 0, 60).toArray());
            assertThat(find(prompt, lane)).hasSize(16).isEqualTo(tokens(naive.find(prompt), answers));
        }
    }

    @Test
    void segmentsAreSearchedAsFreshAnswersAre(@TempDir Path folder) throws IOException {
        SegmentIdentity identity = new SegmentIdentity("m@1/s", 1_000_000, "t");
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            List<RememberedAnswer> answers = new ArrayList<>();
            List<Compaction.Input> inputs = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(200); i++) {
                answers.add(new RememberedAnswer(
                        new int[0],
                        new int[] {i, i},
                        SignedLane.answer(random, 30).signature()));
                inputs.add(new Compaction.Input(new GenerationEntry(1, i, "p", i), answers.get(i)));
            }
            PromptSignature prompt = PromptSignature.of(SignedLane.prompt(random, 30));
            Path file = Compaction.flush(inputs, identity, folder).files().segment();
            try (Segment segment = Segment.openVerified(file, identity)) {
                LaneIndex lane = new LaneIndex(List.of(), segment, null);
                assertThat(find(prompt, lane))
                        .as("seed %d", seed)
                        .isEqualTo(tokens(new NaiveSimilarity(answers).find(prompt), answers));
            }
        }
    }

    @Test
    void theAnswerToTheSamePromptComesFirstAndOfTwoTheLater() {
        List<RememberedAnswer> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int[] prompt = {1, 2, 3, 100 + i / 2, 200 + i / 2};
            answers.add(RememberedAnswer.of(prompt, 0, new int[] {i}));
        }
        LaneIndex lane = new LaneIndex(List.of(FreshIndex.ofAnswers(answers)), null, null);
        assertThat(find(PromptSignature.of(new int[] {1, 2, 3, 117, 217}), lane))
                .containsExactly(List.of(35), List.of(34));
    }

    @Test
    void tokensThatNearlyAllPromptsHaveMakeNothingSimilar() {
        List<RememberedAnswer> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(RememberedAnswer.of(new int[] {1, 2, 3, 100 + i}, 0, new int[] {i}));
        }
        LaneIndex lane = new LaneIndex(List.of(), null, FreshIndex.ofAnswers(answers));
        assertThat(find(PromptSignature.of(new int[] {1, 2, 3, 99}), lane)).isEmpty();
    }

    private static List<List<Integer>> tokens(List<Integer> numbers, List<RememberedAnswer> answers) {
        return numbers.stream()
                .map(number ->
                        Arrays.stream(answers.get(number).tokens()).boxed().toList())
                .toList();
    }

    private List<List<Integer>> find(PromptSignature prompt, LaneIndex lane) {
        search.find(prompt, lane);
        List<List<Integer>> found = new ArrayList<>();
        for (int rank = 0; rank < search.size(); rank++) {
            found.add(tokens(search.text(search.answer(rank)), search.document(search.answer(rank))));
        }
        return found;
    }

    private static List<Integer> tokens(SignedAnswers text, int document) {
        List<Integer> tokens = new ArrayList<>();
        int at = text.documentStart(document) + text.tail(document);
        for (int token = text.token(at); token >= 0; token = text.token(++at)) {
            tokens.add(token);
        }
        return tokens;
    }
}
