package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.NearestOracle;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.TokenText;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.NaiveIndex;
import io.tailrace.testkit.RandomDocuments;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentTest {
    @TempDir
    Path folder;

    @Test
    void flushedSegmentAnswersLikeItsOracle() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            int alphabet = List.of(1, 2, 5, 50, 1000, 100_000).get(random.nextInt(6));
            int tokenMax = List.of(alphabet, Integer.MAX_VALUE - 1).get(random.nextInt(2));
            RandomDocuments documents = new RandomDocuments(seed, alphabet, tokenMax);
            List<int[]> tokens = documents.documents(1 + random.nextInt(25), 1 + random.nextInt(90));
            List<Compaction.Input> generations = Generations.of(tokens, random);
            Compaction.Files files =
                    Compaction.flush(generations, Generations.LANE, folder).files();
            try (Segment segment = Segment.reopen(files.segment(), Generations.LANE)) {
                segment.checkInvariants();
                NaiveIndex naive = Generations.naive(generations);
                for (int i = 0; i < 12; i++) {
                    check(segment, naive, documents.context(tokens), 1 + random.nextInt(20));
                }
            }
        });
    }

    private static void check(Segment segment, NaiveIndex naive, int[] context, int countMax) {
        NearestOracle.check(segment, distinct(segment), context, countMax);
        assertThat(segment.count(context)).isEqualTo(naive.count(context));
        Segment.NextTokens next = segment.nextTokenCounts(context);
        SortedMap<Integer, Long> counts = new TreeMap<>();
        long going = 0;
        for (int i = 0; i < next.tokens().length; i++) {
            counts.put(next.tokens()[i], next.counts()[i]);
            going += next.counts()[i];
        }
        assertThat(counts).isEqualTo(naive.nextTokenCounts(context));
        assertThat(next.ends()).isEqualTo(naive.count(context) - going);
    }

    private static NaiveIndex distinct(Segment segment) {
        NaiveIndex naive = new NaiveIndex();
        for (int i = 0; i < segment.documents(); i++) {
            naive.add(segment.answer(i).promptTail(), segment.answer(i).tokens());
        }
        return naive;
    }

    @Test
    void equalDocumentsBecomeOneWithTheNewestTime() throws Exception {
        List<Compaction.Input> generations = List.of(
                Generations.generation(30, 1, 2, 3),
                Generations.generation(20, 7, 8),
                Generations.generation(10, 1, 2, 3));
        Compaction.Result result = Compaction.flush(generations, Generations.LANE, folder);
        try (Segment segment = Segment.openVerified(result.files().segment(), Generations.LANE)) {
            assertThat(segment.documents()).isEqualTo(2);
            assertThat(segment.answer(1).tokens()).containsExactly(1, 2, 3);
            assertThat(segment.multiplicity(1)).isEqualTo(2);
            assertThat(segment.completedAtMillis(1)).isEqualTo(30);
            assertThat(segment.count(new int[] {2, 3})).isEqualTo(2);
            assertThat(segment.count(new int[0])).isEqualTo(8);
            assertThat(segment.summary()).isEqualTo(result.summary());
        }
        assertThat(result.summary().liveTokens()).isEqualTo(8);
        assertThat(result.summary().textTokens()).isEqualTo(5);
        assertThat(result.summary().newestCompletedAtMillis()).isEqualTo(30);
    }

    @Test
    void matchesReachIntoTheTailAndNothingOfItIsFound() throws Exception {
        RememberedAnswer answer = new RememberedAnswer(new int[] {7, 8, 9}, new int[] {1, 2, 8});
        Compaction.Input one = new Compaction.Input(new GenerationEntry(1, 1, "p", 1), answer);
        Compaction.Input same = new Compaction.Input(new GenerationEntry(1, 2, "p", 2), answer);
        Compaction.Input other = new Compaction.Input(new GenerationEntry(1, 3, "p", 3), new int[] {1, 2, 8});
        Compaction.Result result = Compaction.flush(List.of(one, same, other), Generations.LANE, folder);
        try (Segment segment = Segment.openVerified(result.files().segment(), Generations.LANE)) {
            segment.checkInvariants();
            assertThat(segment.documents()).isEqualTo(2);
            assertThat(segment.answer(0)).isEqualTo(answer);
            assertThat(segment.answer(1)).isEqualTo(RememberedAnswer.of(new int[] {1, 2, 8}));
            Occurrences found = new Occurrences();
            assertThat(segment.nearest(new int[] {6, 7, 8, 9}, 4, 5, 0, found)).isEqualTo(1);
            assertThat(found.matchLength(0)).isEqualTo(3);
            assertThat(segment.token(found.position(0) + 1)).isEqualTo(1);
            assertThat(segment.nearest(new int[] {7, 8}, 2, 5, 0, found)).isZero();
            assertThat(segment.nearest(new int[] {7}, 1, 5, 0, found)).isZero();
            assertThat(segment.count(new int[] {9, 1})).isEqualTo(2);
            assertThat(segment.count(new int[] {7, 8})).isZero();
            assertThat(segment.count(new int[] {2, 8})).isEqualTo(3);
        }
        assertThat(result.summary().liveTokens()).isEqualTo(9);
        assertThat(result.summary().textTokens()).isEqualTo(9);
    }

    @Test
    void filesAreNamedByTheirSha256() throws Exception {
        Compaction.Result result = Compaction.flush(List.of(Generations.generation(5, 1, 2)), Generations.LANE, folder);
        String sha256 = result.summary().sha256();
        assertThat(result.files().segment()).hasFileName(sha256 + ".segment");
        assertThat(result.files().sidecar()).hasFileName(sha256 + ".sidecar");
        assertThat(Sidecar.read(result.files().sidecar()).segmentSha256()).isEqualTo(sha256);
        try (Segment reopened = Segment.reopen(result.files().segment(), Generations.LANE)) {
            assertThat(reopened.summary()).isEqualTo(result.summary());
        }
    }

    @Test
    void nothingToKeepMakesNoFile() throws Exception {
        Compaction.Result result = Compaction.flush(List.of(), Generations.LANE, folder);
        assertThat(result.files()).isNull();
        assertThat(result.summary()).isNull();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void emptyDocumentsAreKeptAndCounted() throws Exception {
        List<Compaction.Input> generations =
                List.of(Generations.generation(1), Generations.generation(2), Generations.generation(3, 9));
        Compaction.Result result = Compaction.flush(generations, Generations.LANE, folder);
        try (Segment segment = Segment.openVerified(result.files().segment(), Generations.LANE)) {
            assertThat(segment.documents()).isEqualTo(2);
            assertThat(segment.multiplicity(0)).isEqualTo(2);
            assertThat(segment.count(new int[] {9})).isEqualTo(1);
            assertThat(segment.nearest(new int[] {9}, 1, 4, 0, new Occurrences()))
                    .isZero();
        }
    }

    @Test
    void tokensOutsideTheTextAreTerminators() throws Exception {
        Compaction.Files files = Compaction.flush(List.of(Generations.generation(5, 1, 2)), Generations.LANE, folder)
                .files();
        try (Segment segment = Segment.reopen(files.segment(), Generations.LANE)) {
            assertThat(segment.token(-1)).isEqualTo(TokenText.TERMINATOR);
            assertThat(segment.token(0)).isEqualTo(1);
            assertThat(segment.token(2)).isEqualTo(TokenText.TERMINATOR);
            assertThat(segment.token(3)).isEqualTo(TokenText.TERMINATOR);
        }
    }

    @Test
    void unknownTokensAreRefusedBeforeWriting() {
        SegmentIdentity small = new SegmentIdentity("lane", 10, "t");
        List<Compaction.Input> generations = List.of(Generations.generation(5, 1, 10));
        assertThatThrownBy(() -> Compaction.flush(generations, small, folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 9")
                .hasMessageContaining("got 10");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anotherLaneOrTokenizerIsRefused() throws Exception {
        Compaction.Files files = Compaction.flush(List.of(Generations.generation(5, 1, 2)), Generations.LANE, folder)
                .files();
        SegmentIdentity other = new SegmentIdentity("llama@1/other", Integer.MAX_VALUE, "tokenizer-1");
        assertThatThrownBy(() -> Segment.reopen(files.segment(), other))
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining("llama@1/other")
                .hasMessageContaining("llama@1/acme")
                .hasMessageContaining(files.segment().toString());
    }

    @Test
    void closingTwiceIsClosingOnce() throws Exception {
        Compaction.Files files = Compaction.flush(List.of(Generations.generation(5, 1, 2)), Generations.LANE, folder)
                .files();
        Segment segment = Segment.reopen(files.segment(), Generations.LANE);
        segment.close();
        segment.close();
    }
}
