package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.draft.ReferenceDrafter.Voter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The dull twin of {@link SimilarAnswers}, for lanes of {@link NaiveIndex}: looks up the answers anew for each draft. */
final class ReferenceSimilar {
    private static final int SIMILAR = SourceKind.SIMILAR.index();

    /** An answer's text, and from which place on it goes on with the answer. */
    private record Text(int[] tokens, int first) implements TokenText {
        static Text of(RememberedAnswer answer) {
            int[] whole = answer.text();
            int tail = answer.promptTail().length;
            int[] kept = Arrays.copyOfRange(whole, Math.max(0, tail - 3), Math.min(whole.length, tail + 4096));
            return new Text(kept, Math.max(0, Math.min(tail, 3) - 1));
        }

        @Override
        public int token(int position) {
            return position >= 0 && position < tokens.length ? tokens[position] : TERMINATOR;
        }
    }

    private PromptSignature prompt = PromptSignature.NONE;
    private List<Text> texts = List.of();

    void ask(int[] tokens) {
        prompt = PromptSignature.of(tokens);
        texts = List.of();
    }

    void lookUp(LaneIndex lane) {
        List<RememberedAnswer> answers = Stream.concat(lane.older().stream(), Stream.of(lane.newest(), lane.fresh()))
                .filter(NaiveIndex.class::isInstance)
                .flatMap(index -> ((NaiveIndex) index).answers().stream())
                .toList();
        texts = new NaiveSimilarity(answers)
                .find(prompt).stream().map(answers::get).map(Text::of).toList();
    }

    /** The longest matches of a line's end. */
    List<Voter> longest(int[] line) {
        return places(line, 0)
                .limit(400)
                .sorted(Comparator.comparingInt(voter -> -voter.match()))
                .limit(16)
                .toList();
    }

    /** The first places of a line's last token, as seen so many tokens before. */
    List<Voter> first(int[] line, int depth) {
        return places(line, depth).limit(4).toList();
    }

    /** In the most similar answer first, and there the last place first. */
    private Stream<Voter> places(int[] line, int depth) {
        List<Voter> places = new ArrayList<>();
        for (int rank = 0; rank < texts.size(); rank++) {
            Text text = texts.get(rank);
            for (int place = text.tokens.length - 2; place >= text.first; place--) {
                int match = match(text, place, line);
                if (match > 0) {
                    places.add(new Voter(text, place - depth, match - depth, SIMILAR, rank));
                }
            }
        }
        return places.stream();
    }

    private static int match(Text text, int place, int[] line) {
        int match = 0;
        while (match < Math.min(OccurrenceIndex.MATCH_LENGTH_MAX, line.length)
                && text.token(place - match) == line[line.length - 1 - match]) {
            match++;
        }
        return match;
    }
}
