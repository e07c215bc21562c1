package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import io.tailrace.testkit.RandomDocuments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ContextAutomatonTest {
    private static final int SOURCE = 5;

    private record Match(int position, int length) {}

    @Test
    void occurrencesAreThoseOfPlainSearch() {
        ContextAutomaton automaton = new ContextAutomaton();
        Cases.forEachSeed(1500, seed -> {
            Random random = new Random(seed);
            int alphabet = List.of(1, 2, 3, 8, 100).get(random.nextInt(5));
            RandomDocuments documents = new RandomDocuments(seed, alphabet, Integer.MAX_VALUE - 1);
            automaton.reset();
            for (int token : documents.context(documents.documents(10, 60))) {
                automaton.append(token);
                automaton.checkInvariants();
                assertThat(found(automaton, 16)).isEqualTo(plainOccurrences(automaton, 16));
            }
        });
    }

    @Test
    void longRepetitiveContextsGiveTrueOccurrences() {
        ContextAutomaton automaton = new ContextAutomaton();
        Cases.forEachSeed(20, seed -> {
            Random random = new Random(seed);
            automaton.reset();
            int period = 1 + random.nextInt(50);
            for (int i = 0; i < 3000; i++) {
                automaton.append(random.nextInt(200) == 0 ? random.nextInt(5) : i % period % 5);
                if (i % 37 == 0) {
                    checkEachIsTrue(automaton, found(automaton, 64));
                }
            }
        });
    }

    /** The latest place of each distinct set of places that a suffix of the context occurred at before. */
    private static List<Match> plainOccurrences(ContextAutomaton automaton, int countMax) {
        int end = automaton.length() - 1;
        List<Match> matches = new ArrayList<>();
        int placesOfLonger = 0;
        for (int length = end; length >= 1 && matches.size() < countMax; length--) {
            int places = 0;
            int latest = -1;
            for (int position = length - 1; position < end; position++) {
                if (agrees(automaton, position, end, length)) {
                    places++;
                    latest = position;
                }
            }
            if (places > placesOfLonger) {
                matches.add(new Match(latest, Math.min(length, 64)));
                placesOfLonger = places;
            }
        }
        return matches;
    }

    private static boolean agrees(ContextAutomaton automaton, int position, int end, int length) {
        for (int k = 0; k < length; k++) {
            if (automaton.token(position - k) != automaton.token(end - k)) {
                return false;
            }
        }
        return true;
    }

    private static List<Match> found(ContextAutomaton automaton, int countMax) {
        Occurrences into = new Occurrences();
        assertThat(automaton.occurrences(countMax, SOURCE, into)).isEqualTo(into.size());
        return matches(automaton, into);
    }

    private static List<Match> matches(ContextAutomaton automaton, Occurrences into) {
        List<Match> matches = new ArrayList<>();
        for (int i = 0; i < into.size(); i++) {
            assertThat(into.source(i)).isEqualTo(SOURCE);
            assertThat(into.text(i)).isSameAs(automaton);
            matches.add(new Match(into.position(i), into.matchLength(i)));
        }
        return matches;
    }

    private static void checkEachIsTrue(ContextAutomaton automaton, List<Match> matches) {
        int end = automaton.length() - 1;
        for (Match match : matches) {
            assertThat(match.position()).isBetween(0, end - 1);
            assertThat(agrees(automaton, match.position(), end, match.length())).isTrue();
        }
    }

    @Test
    void gappedOccurrencesMatchBeforeTheGapAndDivergeInIt() {
        ContextAutomaton automaton = new ContextAutomaton();
        Cases.forEachSeed(1500, seed -> {
            Random random = new Random(seed);
            automaton.reset();
            RandomDocuments documents = new RandomDocuments(seed, 2 + random.nextInt(6), 1000);
            for (int token : documents.tokens(1 + random.nextInt(120))) {
                automaton.append(token);
            }
            int gap = 1 + random.nextInt(3);
            int lengthMin = 1 + random.nextInt(3);
            Occurrences into = new Occurrences();
            automaton.gappedOccurrences(gap, lengthMin, 8, SOURCE, into);
            List<Match> matches = matches(automaton, into);
            checkGapped(automaton, matches, gap, lengthMin);
            int longest = longestGapped(automaton, gap, lengthMin);
            assertThat(longest(matches)).isBetween(gap == 1 ? longest : 0, longest);
        });
    }

    private static void checkGapped(ContextAutomaton automaton, List<Match> matches, int gap, int lengthMin) {
        int end = automaton.length() - 1;
        int previous = Integer.MAX_VALUE;
        for (Match match : matches) {
            int matched = match.position() - gap;
            assertThat(match.position()).isBetween(gap, end - 1);
            assertThat(match.length()).isBetween(lengthMin, previous);
            assertThat(agrees(automaton, matched, end - gap, match.length())).isTrue();
            assertThat(automaton.token(matched + 1)).isNotEqualTo(automaton.token(end - gap + 1));
            previous = match.length();
        }
        assertThat(matches.stream().map(Match::position)).doesNotHaveDuplicates();
    }

    private static int longest(List<Match> matches) {
        return matches.isEmpty() ? 0 : matches.get(0).length();
    }

    private static int longestGapped(ContextAutomaton automaton, int gap, int lengthMin) {
        int end = automaton.length() - 1;
        int longest = 0;
        for (int position = 0; position + gap < end; position++) {
            int length = 0;
            while (length <= position
                    && length < 64
                    && automaton.token(position - length) == automaton.token(end - gap - length)) {
                length++;
            }
            if (automaton.token(position + 1) != automaton.token(end - gap + 1)) {
                longest = Math.max(longest, length);
            }
        }
        return longest >= lengthMin ? longest : 0;
    }

    @Test
    void resetForgetsTheContext() {
        ContextAutomaton automaton = new ContextAutomaton();
        for (int i = 0; i < 5000; i++) {
            automaton.append(i % 77 * (i % 3));
        }
        automaton.reset();
        assertThat(automaton.length()).isZero();
        assertThat(automaton.token(0)).isEqualTo(TokenText.TERMINATOR);
        assertThat(found(automaton, 8)).isEmpty();
        automaton.append(3);
        assertThat(found(automaton, 8)).isEmpty();
        automaton.append(3);
        assertThat(found(automaton, 8)).containsExactly(new Match(0, 1));
        assertThat(Arrays.copyOf(automaton.tokens(), automaton.length())).containsExactly(3, 3);
    }

    @Test
    void negativeTokensAreRefused() {
        ContextAutomaton automaton = new ContextAutomaton();
        assertThatThrownBy(() -> automaton.append(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got -1");
    }
}
