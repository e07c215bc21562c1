package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

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
                assertThat(find(prompt, lane.index())).isEqualTo(naive.find(prompt));
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
            assertThat(find(prompt, lane)).hasSize(16).isEqualTo(naive.find(prompt));
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
        assertThat(find(PromptSignature.of(new int[] {1, 2, 3, 117, 217}), lane)).containsExactly(35, 34);
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

    private List<Integer> find(PromptSignature prompt, LaneIndex lane) {
        search.find(prompt, lane);
        List<Integer> found = new ArrayList<>();
        for (int rank = 0; rank < search.size(); rank++) {
            found.add(search.answer(rank));
        }
        return found;
    }
}
