package io.tailrace.suffix.draft;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The dull index: looks at every position. Among equal matches the latest position comes first. */
final class NaiveIndex implements OccurrenceIndex, TokenText {
    private record Place(int position, int match) {}

    private final List<Integer> text = new ArrayList<>();
    private final List<RememberedAnswer> answers = new ArrayList<>();
    /** Of all answers; null until somebody asks. */
    private FreshIndex signed;

    NaiveIndex add(int... document) {
        for (int token : document) {
            text.add(token);
        }
        text.add(TERMINATOR);
        return this;
    }

    /** With its signature; its prompt's tail is not searched, but by who looks for similar requests. */
    NaiveIndex add(RememberedAnswer answer) {
        answers.add(answer);
        return add(answer.tokens());
    }

    /** Those that were added as such. */
    List<RememberedAnswer> answers() {
        return answers;
    }

    @Override
    public List<? extends SignedAnswers> signed() {
        signed = signed == null ? FreshIndex.ofAnswers(answers) : signed;
        return signed.signed();
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < text.size() ? text.get(position) : TERMINATOR;
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        List<Place> places = new ArrayList<>();
        for (int position = 0; position < text.size(); position++) {
            int match = match(position, context, length);
            if (match > 0 && token(position + 1) >= 0) {
                places.add(new Place(position, match));
            }
        }
        places.sort(Comparator.comparingInt((Place place) -> -place.match).thenComparingInt(place -> -place.position));
        int count = Math.min(countMax, places.size());
        for (Place place : places.subList(0, count)) {
            into.add(this, place.position, place.match, source);
        }
        return count;
    }

    /** Every other token that goes on is copied, by its place. */
    @Override
    public void count(TokenCounts counts) {
        counts.addDocuments(
                (int) text.stream().filter(token -> token == TERMINATOR).count());
        for (int position = 0; position < text.size(); position++) {
            if (token(position) >= 0 && token(position + 1) >= 0) {
                counts.add(token(position), 1, 1, position % 2);
                counts.addAfter(token(position - 1), 1, position % 2);
            }
        }
    }

    @Override
    public Object content() {
        return this;
    }

    private int match(int position, int[] context, int length) {
        int match = 0;
        while (match < Math.min(length, MATCH_LENGTH_MAX)
                && token(position - match) >= 0
                && token(position - match) == context[length - 1 - match]) {
            match++;
        }
        return match;
    }
}
