package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.testkit.Cases;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What is told of a token in classes, against the formulas without classes. */
class LaneVocabularyTest {
    /** Half a class of counts, as a logarithm: an eighth of an octave is a class. */
    private static final double HALF_A_CLASS = StrictMath.log(2) / 16;

    private static final Offset<Float> RARITY = within((float) (0.25 * 1.6 * HALF_A_CLASS));
    /** Shares near one have log-odds that move faster than their logarithm. */
    private static final Offset<Double> POPULARITY = within(1.6 * HALF_A_CLASS);

    private static final Offset<Double> COPIES = within(0.0255);

    /** How often a token is said, of how many it is known, and how many are copied; the last two of what follows it. */
    private record Said(int times, int known, int copied, int knownAfter, int copiedAfter) {
        static final Said NEVER = new Said(0, 0, 0, 0, 0);

        static Said random(Random random, int timesMax) {
            int times = 1 + random.nextInt(timesMax);
            int known = random.nextInt(times + 1);
            int knownAfter = random.nextInt(times + 1);
            return new Said(times, known, random.nextInt(known + 1), knownAfter, random.nextInt(knownAfter + 1));
        }
    }

    /** A segment of which nothing is known but its counts. */
    private record Counted(int documents, Map<Integer, Said> tokens) implements OccurrenceIndex {
        static Counted random(Random random) {
            Map<Integer, Said> tokens = new TreeMap<>();
            int idMax = List.of(3, 20, 2_000).get(random.nextInt(3));
            int timesMax = List.of(1, 4, 100_000).get(random.nextInt(3));
            for (int i = random.nextInt(40); i > 0; i--) {
                tokens.put(random.nextInt(idMax), Said.random(random, timesMax));
            }
            return new Counted(random.nextInt(2_000), tokens);
        }

        Said of(int token) {
            return tokens.getOrDefault(token, Said.NEVER);
        }

        long all() {
            return tokens.values().stream().mapToLong(Said::times).sum();
        }

        /** The lane's copy rate, two tokens of which one is copied assumed. */
        double rate() {
            double known = 2 + tokens.values().stream().mapToLong(Said::known).sum();
            return (1 + tokens.values().stream().mapToLong(Said::copied).sum()) / known;
        }

        @Override
        public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
            throw new UnsupportedOperationException("nothing is searched here");
        }

        @Override
        public void count(TokenCounts counts) {
            counts.addDocuments(documents);
            tokens.forEach((token, said) -> {
                counts.add(token, said.times(), said.known(), said.copied());
                counts.addAfter(token, said.knownAfter(), said.copiedAfter());
            });
        }
    }

    private interface Check {
        void token(Counted counted, LaneVocabulary vocabulary, int token, int classes);
    }

    private static void forEachToken(Check check) {
        Cases.forEachSeed(60, seed -> {
            Counted counted = Counted.random(new Random(seed));
            LaneVocabulary vocabulary = LaneVocabulary.of(List.of(), counted);
            int beyond = vocabulary.tokens() + 3;
            for (int token = 0; token < beyond; token++) {
                check.token(counted, vocabulary, token, vocabulary.classes(token));
            }
        });
    }

    @Test
    void rarityIsAQuarterOfTheLogarithmOfAnswersToAnswersWithTheToken() {
        forEachToken((counted, vocabulary, token, classes) -> {
            double answers = Math.min(counted.of(token).times(), counted.documents());
            double rarity = 0.25 * Math.max(0, StrictMath.log((counted.documents() + 1) / (answers + 0.5)));
            assertThat(vocabulary.rarity(classes)).as("token %d", token).isCloseTo((float) rarity, RARITY);
        });
    }

    @Test
    void popularityIsTheLogOddsOfTheTokenAmongAllThatIsSaid() {
        forEachToken((counted, vocabulary, token, classes) -> {
            double all = counted.all();
            double share = (counted.of(token).times() + 0.02) / (all + 0.4);
            if (share < 0.8) {
                share = Math.max(0.0003, share);
                double odds = StrictMath.log(share / (1 - share)) * all / (all + 1);
                assertThat((double) vocabulary.popularity(classes))
                        .as("token %d", token)
                        .isCloseTo(odds, within(POPULARITY.value / (1 - share)));
            }
        });
    }

    @Test
    void copyRatesAreToldAsRatiosToTheLanes() {
        forEachToken((counted, vocabulary, token, classes) -> {
            Said said = counted.of(token);
            assertRate(counted.rate(), said.known(), said.copied(), vocabulary, classes);
        });
    }

    @Test
    void copyRatesOfWhatFollowsAreToldAsRatiosToTheLanes() {
        forEachToken((counted, vocabulary, token, classes) -> {
            Said said = counted.of(token);
            assertRate(counted.rate(), said.knownAfter(), said.copiedAfter(), vocabulary, vocabulary.following(token));
        });
    }

    private static void assertRate(double base, int known, int copied, LaneVocabulary vocabulary, int classes) {
        double rate = (copied + 4 * base) / (known + 4);
        double odds = StrictMath.log(rate / (1 - rate)) - StrictMath.log(base / (1 - base));
        if (Math.abs(odds) < 6) {
            assertThat((double) vocabulary.copiedHere(classes)).isCloseTo(StrictMath.log(rate / base), COPIES);
            assertThat((double) vocabulary.copiedElsewhere(classes))
                    .isCloseTo(StrictMath.log((1 - rate + 1e-3) / (1 - base + 1e-3)), COPIES);
        }
    }

    @Test
    void popularTokensAreThoseSaidMostTheSmallerIdFirstAmongEquals() {
        Cases.forEachSeed(60, seed -> {
            Counted counted = Counted.random(new Random(seed));
            LaneVocabulary vocabulary = LaneVocabulary.of(List.of(counted), null);
            List<Integer> expected = counted.tokens().keySet().stream()
                    .sorted(Comparator.comparing(
                            (Integer token) -> -counted.of(token).times()))
                    .limit(LaneVocabulary.POPULAR_MAX)
                    .toList();
            assertThat(IntStream.range(0, vocabulary.popularTokens())
                            .mapToObj(vocabulary::popularToken)
                            .toList())
                    .isEqualTo(expected);
        });
    }

    @Test
    void aTokenThatNobodySaysIsThatOfWhichNothingIsKnown() {
        forEachToken((counted, vocabulary, token, classes) -> {
            if (counted.of(token).times() == 0) {
                assertThat(classes).isEqualTo(vocabulary.classes(Integer.MAX_VALUE));
                assertThat(vocabulary.copiedHere(classes)).isZero();
                assertThat(vocabulary.copiedElsewhere(classes)).isZero();
            }
        });
    }

    /** Tokens said seldom and often, ids that nobody says, lanes of which little is known: bit for bit. */
    @Test
    void whatIsToldIsWhatThePlainFormulasGive() {
        Cases.forEachSeed(4_000, seed -> {
            Counted counted = Counted.random(new Random(seed));
            LaneVocabulary vocabulary = LaneVocabulary.of(List.of(), counted);
            PlainVocabulary plain = PlainVocabulary.of(counted);
            int beyond = vocabulary.tokens() + 3;
            int[] told = new int[2 * beyond + 4 * LaneVocabulary.CLASSES];
            int[] expected = new int[told.length];
            int at = 0;
            for (int token = 0; token < beyond; token++) {
                told[at] = vocabulary.classes(token);
                expected[at++] = plain.classes(token);
                told[at] = vocabulary.following(token);
                expected[at++] = plain.following(token);
            }
            for (int i = 0; i < LaneVocabulary.CLASSES; i++) {
                told[at] = Float.floatToRawIntBits(vocabulary.rarity(i));
                expected[at++] = Float.floatToRawIntBits(plain.rarity(i));
                told[at] = Float.floatToRawIntBits(vocabulary.popularity(i));
                expected[at++] = Float.floatToRawIntBits(plain.popularity(i));
                told[at] = Float.floatToRawIntBits(vocabulary.copiedHere(i << Byte.SIZE));
                expected[at++] = Float.floatToRawIntBits(plain.copiedHere(i));
                told[at] = Float.floatToRawIntBits(vocabulary.copiedElsewhere(i << Byte.SIZE));
                expected[at++] = Float.floatToRawIntBits(plain.copiedElsewhere(i));
            }
            assertThat(at).isEqualTo(told.length);
            assertThat(told).isEqualTo(expected);
        });
    }

    @Test
    void countsAtTheEndOfTheTableAndTheLargestHaveThePlainFormulasClasses() {
        for (int times : new int[] {0, 1, 2, 4_094, 4_095, 4_096, 4_097, 1 << 20, Integer.MAX_VALUE}) {
            Counted counted = new Counted(3, times == 0 ? Map.of() : Map.of(5, new Said(times, 0, 0, 0, 0)));
            assertThat(LaneVocabulary.of(List.of(), counted).classes(5))
                    .as("said %d times", times)
                    .isEqualTo(PlainVocabulary.of(counted).classes(5));
        }
    }

    /** The formulas as they are, each computed where it is asked for. */
    private record PlainVocabulary(Counted counted, double base, long all) {
        static PlainVocabulary of(Counted counted) {
            return new PlainVocabulary(counted, counted.rate(), counted.all());
        }

        int classes(int token) {
            Said said = counted.of(token);
            int count = (int) Math.round(8 * (StrictMath.log(said.times() + 1.0) / StrictMath.log(2)));
            return count | rate(said.known(), said.copied()) << Byte.SIZE;
        }

        int following(int token) {
            return rate(counted.of(token).knownAfter(), counted.of(token).copiedAfter()) << Byte.SIZE;
        }

        private int rate(int known, int copied) {
            double rate = (copied + 4 * base) / (known + 4.0);
            return (int) Math.max(0, Math.min(255, 128 + Math.round(20 * (logOdds(rate) - logOdds(base)))));
        }

        private static double logOdds(double rate) {
            return StrictMath.log(rate / (1 - rate));
        }

        float rarity(int count) {
            double answers = Math.min(StrictMath.pow(2, count / 8.0) - 1, counted.documents());
            return 0.25f * (float) Math.max(0, StrictMath.log((counted.documents() + 1) / (answers + 0.5)));
        }

        float popularity(int count) {
            double said = StrictMath.pow(2, count / 8.0) - 1;
            double share = Math.min(0.998, Math.max(0.0003, (said + 0.02) / (all + 0.4)));
            return (float) (StrictMath.log(share / (1 - share)) * all / (all + 1.0));
        }

        float copiedHere(int rate) {
            return rate == 128 ? 0 : (float) StrictMath.log(rateOf(rate) / base);
        }

        float copiedElsewhere(int rate) {
            return rate == 128 ? 0 : (float) StrictMath.log((1 - rateOf(rate) + 1e-3) / (1 - base + 1e-3));
        }

        private double rateOf(int rate) {
            double odds = StrictMath.exp(logOdds(base) + (rate - 128) / 20.0);
            return odds / (1 + odds);
        }
    }

    @Test
    void allSegmentsOfASnapshotAreCountedTogether() {
        Cases.forEachSeed(30, seed -> {
            Random random = new Random(seed);
            List<Counted> segments = List.of(Counted.random(random), Counted.random(random), Counted.random(random));
            OccurrenceIndex together = new OccurrenceIndex() {
                @Override
                public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
                    throw new UnsupportedOperationException("nothing is searched here");
                }

                @Override
                public void count(TokenCounts counts) {
                    segments.forEach(segment -> segment.count(counts));
                }
            };
            LaneVocabulary apart = LaneVocabulary.of(segments.subList(0, 2), segments.get(2));
            assertSame(apart, LaneVocabulary.of(List.of(), together));
            assertSame(apart, new LaneIndex(segments.subList(0, 2), segments.get(2), segments.get(0)).vocabulary());
        });
    }

    @Test
    void aLaneWithoutASnapshotHasNoPopularTokensAndKnowsNone() {
        assertThat(LaneVocabulary.of(List.of(), null)).isSameAs(LaneVocabulary.EMPTY);
        assertThat(LaneVocabulary.EMPTY.popularTokens()).isZero();
        assertThat(LaneVocabulary.EMPTY.tokens()).isZero();
        assertThat(LaneVocabulary.EMPTY.classes(5)).isEqualTo(LaneVocabulary.EMPTY.classes(0));
    }

    private static void assertSame(LaneVocabulary a, LaneVocabulary b) {
        for (int token = 0; token < Math.max(a.tokens(), b.tokens()); token++) {
            int classes = a.classes(token);
            assertThat(b.classes(token)).as("token %d", token).isEqualTo(classes);
            assertThat(b.rarity(classes)).isEqualTo(a.rarity(classes));
            assertThat(b.popularity(classes)).isEqualTo(a.popularity(classes));
            assertThat(b.copiedHere(classes)).isEqualTo(a.copiedHere(classes));
            assertThat(b.copiedElsewhere(classes)).isEqualTo(a.copiedElsewhere(classes));
        }
        assertThat(popular(b)).isEqualTo(popular(a));
    }

    private static List<Integer> popular(LaneVocabulary vocabulary) {
        return IntStream.range(0, vocabulary.popularTokens())
                .mapToObj(vocabulary::popularToken)
                .toList();
    }
}
