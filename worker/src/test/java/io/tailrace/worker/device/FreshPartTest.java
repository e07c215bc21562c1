package io.tailrace.worker.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.testkit.Cases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fresh answers are searched in runs on the host and in a segment on a device. How far the two may differ: at most in the order of
 * places that match equally long, in which of those are kept where not all are, and in how often an answer counts that was given
 * more than once.
 */
class FreshPartTest {
    private static final int PLACES_MAX = 16;
    private static final int CONTEXTS = 40;

    @TempDir
    Path folder;

    /** A place: the whole answer, where in it the match ends, and how long it is. */
    private record Place(List<Integer> answer, int end, int match) {}

    @Test
    void answersThatDifferAreFoundAsLongMatchesAndAtTheSamePlaces() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            List<int[]> answers = new ArrayList<>();
            Set<List<Integer>> known = new HashSet<>();
            for (int[] answer : answers(random)) {
                if (known.add(Arrays.stream(answer).boxed().toList())) {
                    answers.add(answer);
                }
            }
            compare(random, answers, (host, device) -> {
                assertThat(device.stream().map(Place::match).toList())
                        .isEqualTo(host.stream().map(Place::match).toList());
                if (host.size() < PLACES_MAX) {
                    assertThat(device).containsExactlyInAnyOrderElementsOf(host);
                }
            });
        });
    }

    @Test
    void anAnswerGivenAgainCountsOnceOnADeviceAndNothingLongerIsMissed() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            List<int[]> answers = new ArrayList<>(answers(random));
            answers.addAll(List.copyOf(answers).subList(0, answers.size() / 2));
            compare(random, answers, (host, device) -> {
                int last =
                        host.size() < PLACES_MAX ? 0 : host.get(PLACES_MAX - 1).match();
                assertThat(device).doesNotHaveDuplicates();
                assertThat(device)
                        .containsAll(host.stream()
                                .filter(place -> place.match() > last)
                                .toList());
                if (host.size() < PLACES_MAX) {
                    assertThat(new HashSet<>(device)).isEqualTo(new HashSet<>(host));
                }
            });
        });
    }

    /** The device reads neither signatures nor copied tokens: they stand in no file of it. */
    @Test
    void ofPromptsOnlyTailsAreInTheFileForADevice() throws Exception {
        FreshIndex onHost = new FreshIndex(Integer.MAX_VALUE);
        onHost.add(RememberedAnswer.of(new int[] {1, 2, 3, 4}, 2, new int[] {5, 5, 6}), 1);
        LaneIndex index = new LaneIndex(List.of(), null, onHost);
        LoadedSnapshot snapshot = new LoadedSnapshot(1, DraftPolicy.defaults(), index, () -> {});
        ImageMaker images = new ImageMaker(new SegmentIdentity("m@1/s", 1_000, "t"), folder);
        try (ImageMaker.Image image = images.of(snapshot)) {
            TokenCounts counts = new TokenCounts();
            image.fresh().count(counts);
            assertThat(counts.said(5)).isEqualTo(2);
            assertThat(counts.known(5)).isZero();
            assertThat(image.fresh().signed()).isEmpty();
            Occurrences found = new Occurrences();
            assertThat(image.fresh().nearest(new int[] {3, 4}, 2, PLACES_MAX, SourceKind.FRESH.index(), found))
                    .isEqualTo(1);
            assertThat(found.matchLength(0)).isEqualTo(2);
        }
    }

    private interface Check {
        void places(List<Place> host, List<Place> device);
    }

    private void compare(Random random, List<int[]> answers, Check check) throws Exception {
        FreshIndex onHost = new FreshIndex(Integer.MAX_VALUE);
        for (int i = 0; i < answers.size(); i++) {
            onHost.add(answers.get(i), i);
        }
        LaneIndex index = new LaneIndex(List.of(), null, onHost);
        LoadedSnapshot snapshot = new LoadedSnapshot(1, DraftPolicy.defaults(), index, () -> {});
        ImageMaker images = new ImageMaker(new SegmentIdentity("m@1/s", 1_000, "t"), folder);
        try (ImageMaker.Image image = images.of(snapshot)) {
            for (int i = 0; i < CONTEXTS; i++) {
                int[] context = context(random, answers);
                check.places(places(onHost, context), places(image.fresh(), context));
            }
        }
    }

    private static List<Place> places(OccurrenceIndex index, int[] context) {
        Occurrences found = new Occurrences();
        index.nearest(context, context.length, PLACES_MAX, SourceKind.FRESH.index(), found);
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            TokenText text = found.text(i);
            int start = found.position(i);
            while (start > 0 && text.token(start - 1) != TokenText.TERMINATOR) {
                start--;
            }
            List<Integer> answer = new ArrayList<>();
            for (int at = start; text.token(at) != TokenText.TERMINATOR; at++) {
                answer.add(text.token(at));
            }
            places.add(new Place(answer, found.position(i) - start, found.matchLength(i)));
        }
        return places;
    }

    private static List<int[]> answers(Random random) {
        int alphabet = List.of(2, 4, 30, 900).get(random.nextInt(4));
        List<int[]> answers = new ArrayList<>();
        for (int i = 0, count = 1 + random.nextInt(30); i < count; i++) {
            int[] answer = random.ints(1 + random.nextInt(60), 0, alphabet).toArray();
            if (i > 0 && random.nextInt(3) == 0) {
                int[] before = answers.get(random.nextInt(i));
                System.arraycopy(before, 0, answer, 0, Math.min(before.length, answer.length) / 2);
            }
            answers.add(answer);
        }
        return answers;
    }

    /** Mostly an answer broken off, so that long matches exist. */
    private static int[] context(Random random, List<int[]> answers) {
        int[] answer = answers.get(random.nextInt(answers.size()));
        int[] context = Arrays.copyOf(answer, 1 + random.nextInt(answer.length));
        if (random.nextInt(4) == 0) {
            context[random.nextInt(context.length)] = random.nextInt(4);
        }
        return context;
    }
}
