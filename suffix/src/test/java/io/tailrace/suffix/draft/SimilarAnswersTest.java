package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.testkit.Cases;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SimilarAnswersTest {
    /** Answers to other prompts, so that what a prompt has is rare. */
    private static final List<RememberedAnswer> OTHERS =
            List.of(answer(1001, 91), answer(1002, 92), answer(1003, 93), answer(1004, 94), answer(1005, 95));

    private final SimilarAnswers similar = new SimilarAnswers();

    /** What a voter says: how far it matches, and all that follows it. */
    private record Voice(int match, List<Integer> following) {}

    @Test
    void theLongestMatchesInTheMostSimilarAnswersVote() {
        Cases.forEachSeed(1_000, seed -> {
            Random random = new Random(seed);
            int alphabet = 2 + random.nextInt(20);
            SignedLane lane = SignedLane.of(random, 30, alphabet);
            int[] prompt = SignedLane.prompt(random, alphabet);
            int[] line = random.ints(1 + random.nextInt(12), 0, alphabet).toArray();
            ask(prompt);
            List<Voice> places = places(lane, prompt, line, 0);
            List<Voice> visited = places.subList(0, Math.min(SimilarTexts.PLACES_MAX, places.size()));
            assertThat(collect(lane.index(), line))
                    .isEqualTo(visited.stream()
                            .sorted(Comparator.comparingInt(voice -> -voice.match))
                            .limit(SimilarAnswers.PLACES_MAX)
                            .toList());
            int depth = random.nextInt(line.length);
            assertThat(renewed(line, depth))
                    .isEqualTo(places(lane, prompt, line, depth).stream()
                            .limit(SimilarAnswers.RENEWED_MAX)
                            .toList());
        });
    }

    /** Every place of the line's last token, in the order they are visited, as seen so many tokens before. */
    private static List<Voice> places(SignedLane lane, int[] prompt, int[] line, int depth) {
        List<Voice> voices = new ArrayList<>();
        for (int number : new NaiveSimilarity(lane.answers()).find(PromptSignature.of(prompt))) {
            RememberedAnswer answer = lane.answers().get(number);
            int tail = Math.min(SimilarTexts.TAIL_MAX, answer.promptTail().length);
            int[] text = Arrays.copyOfRange(answer.text(), answer.promptTail().length - tail, answer.text().length);
            for (int place = text.length - 2; place >= Math.max(0, tail - 1); place--) {
                if (text[place] == line[line.length - 1]) {
                    int match = match(text, place, line) - depth;
                    voices.add(new Voice(match, following(text, place + 1)));
                }
            }
        }
        return voices;
    }

    private static int match(int[] text, int place, int[] line) {
        int match = 0;
        while (match < line.length && match <= place && text[place - match] == line[line.length - 1 - match]) {
            match++;
        }
        return match;
    }

    private static List<Integer> following(int[] text, int from) {
        return Arrays.stream(text, from, text.length).boxed().toList();
    }

    private void ask(int... prompt) {
        similar.reset();
        similar.ask(prompt, prompt.length);
    }

    private List<Voice> collect(LaneIndex lane, int... line) {
        Occurrences found = new Occurrences();
        similar.collect(lane, line, line.length, found);
        return voices(found, 0);
    }

    private List<Voice> renewed(int[] line, int depth) {
        Occurrences found = new Occurrences();
        similar.renew(line, line.length, depth, found);
        return voices(found, depth);
    }

    private static List<Voice> voices(Occurrences found, int depth) {
        List<Voice> voices = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            List<Integer> following = new ArrayList<>();
            int at = found.position(i) + depth + 1;
            for (int token = found.text(i).token(at);
                    token >= 0;
                    token = found.text(i).token(++at)) {
                following.add(token);
            }
            voices.add(new Voice(found.matchLength(i), following));
            assertThat(found.source(i)).isEqualTo(SourceKind.SIMILAR.index());
        }
        return voices;
    }

    @Test
    void whatLeavesTheFreshAnswersVotesNoMore() {
        FreshIndex fresh = fresh(1_000);
        fresh.add(answer(7, 5, 6), 1);
        fresh.add(answer(7, 5, 8), 2);
        LaneIndex lane = new LaneIndex(List.of(), null, fresh);
        ask(7);
        assertThat(collect(lane, 5)).hasSize(2);
        fresh.dropCompletedUntil(1);
        assertThat(collect(lane, 5)).containsExactly(new Voice(1, List.of(8)));
        fresh.dropCompletedUntil(2);
        assertThat(collect(lane, 5)).isEmpty();
    }

    @Test
    void whatAFullIndexDropsVotesNoMore() {
        FreshIndex fresh = new FreshIndex(20);
        fresh.add(answer(7, 5, 6), 1);
        OTHERS.forEach(other -> fresh.add(other, 2));
        ask(7);
        LaneIndex lane = new LaneIndex(List.of(), null, fresh);
        assertThat(collect(lane, 5)).hasSize(1);
        fresh.add(RememberedAnswer.of(new int[18]), 3);
        assertThat(collect(lane, 5)).isEmpty();
    }

    @Test
    void whatTheNextSnapshotDoesNotHoldVotesNoMore() {
        FreshIndex older = segment(answer(7, 5, 6));
        FreshIndex newest = segment(answer(7, 5, 8));
        ask(7);
        assertThat(collect(new LaneIndex(List.of(older), newest, null), 5)).hasSize(2);
        LaneIndex withoutNewest = new LaneIndex(List.of(older), segment(answer(9, 5, 1)), null);
        assertThat(collect(withoutNewest, 5)).containsExactly(new Voice(1, List.of(6)));
        assertThat(collect(new LaneIndex(List.of(older), newest, null), 5)).hasSize(2);
        LaneIndex withoutOlder = new LaneIndex(List.of(segment(answer(9, 5, 1))), newest, null);
        assertThat(collect(withoutOlder, 5)).containsExactly(new Voice(1, List.of(8)));
        assertThat(collect(LaneIndex.EMPTY, 5)).isEmpty();
    }

    @Test
    void anotherRequestHearsNothingOfTheLastOnesAnswers() {
        LaneIndex lane = new LaneIndex(List.of(), segment(answer(7, 5, 6)), null);
        ask(7);
        assertThat(collect(lane, 5)).hasSize(1);
        ask(8);
        assertThat(renewed(new int[] {5}, 0)).isEmpty();
        assertThat(collect(lane, 5)).isEmpty();
    }

    @Test
    void theSamePromptInAnotherLaneIsNeverHeardOf() {
        int canary = 77_777;
        FreshIndex others = fresh(1_000);
        others.add(answer(7, 5, canary), 1);
        FreshIndex mine = fresh(1_000);
        mine.add(answer(7, 5, 6), 1);
        ask(7);
        assertThat(collect(new LaneIndex(List.of(), null, others), 5)).containsExactly(new Voice(1, List.of(canary)));
        assertThat(collect(new LaneIndex(List.of(), null, mine), 5)).containsExactly(new Voice(1, List.of(6)));
    }

    @Test
    void whatIsOnlyAddedIsNotLookedFor() {
        FreshIndex fresh = fresh(1_000);
        fresh.add(answer(7, 5, 6), 1);
        LaneIndex lane = new LaneIndex(List.of(), null, fresh);
        ask(7);
        assertThat(collect(lane, 5)).hasSize(1);
        fresh.add(answer(7, 5, 8), 2);
        assertThat(collect(lane, 5)).containsExactly(new Voice(1, List.of(6)));
    }

    @Test
    void aPromptsTailIsMatchedAndNeverSaid() {
        LaneIndex lane = new LaneIndex(
                List.of(), segment(RememberedAnswer.of(new int[] {1, 2, 3, 4, 5}, 5, new int[] {6, 7})), null);
        ask(1, 2, 3, 4, 5);
        assertThat(collect(lane, 2, 3, 4, 5)).containsExactly(new Voice(3, List.of(6, 7)));
        assertThat(collect(lane, 3, 4)).isEmpty();
    }

    @Test
    void ofALongAnswerTheFirstTokensAreCopied() {
        int[] tokens = new Random(1).ints(SimilarTexts.TOKENS_MAX + 10, 0, 50).toArray();
        tokens[0] = 99;
        tokens[SimilarTexts.TOKENS_MAX] = 99;
        LaneIndex lane = new LaneIndex(List.of(), segment(RememberedAnswer.of(new int[] {7}, 0, tokens)), null);
        ask(7);
        List<Voice> voices = collect(lane, 99);
        assertThat(voices).hasSize(1);
        assertThat(voices.get(0).following()).hasSize(SimilarTexts.TOKENS_MAX - 1);
    }

    @Test
    void whatTheAnswerToALikePromptSaidIsDraftedFirst() {
        LaneIndex lane = new LaneIndex(List.of(), segment(answers(true)), null);
        AdaptiveDrafter drafter = learned(lane);
        Draft draft = draft(drafter, lane);
        assertThat(draft.token(0)).isEqualTo(6);
        assertThat(draft.token(1)).isEqualTo(7);
        float similar = draft.probability(0);
        LaneIndex unsigned = new LaneIndex(List.of(), segment(answers(false)), null);
        Draft without = draft(drafter, unsigned);
        for (int node = 0; node < without.size(); node++) {
            assertThat(without.token(node) == 6 && without.probability(node) > similar / 2)
                    .isFalse();
        }
    }

    /** One like the prompt says 6 after 5, several others 8. */
    private static RememberedAnswer[] answers(boolean signed) {
        RememberedAnswer[] answers = new RememberedAnswer[20];
        for (int i = 0; i < answers.length; i++) {
            int[] tokens = i == 3 ? new int[] {4, 5, 6, 7, 7} : new int[] {4, 5, 8, 9};
            int[] prompt = i == 3 ? new int[] {20, 21, 22} : new int[] {30 + i, 31 + i};
            answers[i] = signed ? RememberedAnswer.of(prompt, 0, tokens) : RememberedAnswer.of(tokens);
        }
        return answers;
    }

    /** Of a drafter that has learned to trust similar answers. */
    private static AdaptiveDrafter learned(LaneIndex lane) {
        AdaptiveDrafter drafter = new AdaptiveDrafter(
                Mixer.untrained(), new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0.003f, 0, new float[0]));
        for (int i = 0; i < 200; i++) {
            draft(drafter, lane);
            drafter.verified(new int[] {6, 7}, 2);
        }
        return drafter;
    }

    private static Draft draft(AdaptiveDrafter drafter, LaneIndex lane) {
        drafter.begin(new int[] {20, 21, 22, 4, 5}, 5);
        return drafter.draft(lane, 8);
    }

    @Test
    void draftsFromSimilarAnswersAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        LaneIndex lane = new LaneIndex(List.of(), segment(answers(true)), null);
        Occurrences found = new Occurrences();
        int[] line = {20, 21, 22, 4, 5};
        ask(line);
        long bytes = Long.MAX_VALUE;
        for (int i = 0; i < 20 && bytes > 0; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int draft = 0; draft < 1_000; draft++) {
                found.clear();
                similar.collect(lane, line, line.length, found);
                similar.renew(line, line.length, 1, found);
            }
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(found.size()).isPositive();
        assertThat(bytes).isZero();
    }

    /** Look-ups allocate. */
    @Test
    void whatWasPreparedIsNotLookedForAgain() {
        LaneIndex lane = new LaneIndex(List.of(), segment(answers(true)), null);
        assertThat(leastAllocatedByADraft(lane, false)).isPositive();
        assertThat(leastAllocatedByADraft(lane, true)).isZero();
    }

    private long leastAllocatedByADraft(LaneIndex lane, boolean prepared) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Occurrences found = new Occurrences();
        int[] line = {20, 21, 22, 4, 5};
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            ask(line);
            if (prepared) {
                similar.prepare(lane);
            }
            found.clear();
            long before = threads.getCurrentThreadAllocatedBytes();
            similar.collect(lane, line, line.length, found);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            assertThat(found.size()).isPositive();
        }
        return least;
    }

    private static RememberedAnswer answer(int prompt, int... tokens) {
        return RememberedAnswer.of(new int[] {prompt}, 0, tokens);
    }

    private static FreshIndex segment(RememberedAnswer... answers) {
        List<RememberedAnswer> all = new ArrayList<>(OTHERS);
        all.addAll(List.of(answers));
        return FreshIndex.ofAnswers(all);
    }

    private static FreshIndex fresh(int tokensMax) {
        FreshIndex index = new FreshIndex(tokensMax);
        OTHERS.forEach(other -> index.add(other, 1_000));
        return index;
    }
}
