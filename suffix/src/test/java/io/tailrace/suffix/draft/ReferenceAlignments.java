package io.tailrace.suffix.draft;

import io.tailrace.suffix.ContextAutomaton;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.draft.ReferenceDrafter.Voter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The dull twin of {@link Alignments}. */
final class ReferenceAlignments {
    private static final int ALIGNED = SourceKind.ALIGNED.index();

    private record Followed(TokenText text, int position, int length, int credit, int step) {
        float worth(int now) {
            float kept = 1;
            for (int i = step; i < now; i++) {
                kept *= 0.9f;
            }
            return credit * kept;
        }
    }

    private List<Followed> followed = new ArrayList<>();
    private int step;

    void clear() {
        followed = new ArrayList<>();
        step = 0;
    }

    /** What followed answers say, once the occurrences found in shared sources have been followed. */
    List<Voter> voters(ContextAutomaton own, List<Voter> found, List<OccurrenceIndex> sources) {
        step++;
        followed.removeIf(one -> sources.stream().noneMatch(source -> source.holds(one.text)));
        for (Voter voter : found) {
            if (voter.match() >= 3) {
                follow(voter, own.length());
            }
        }
        List<Voter> voters = new ArrayList<>();
        for (int i = 0; i < followed.size(); i++) {
            tell(i, own).ifPresent(voters::add);
        }
        return voters;
    }

    private void follow(Voter voter, int length) {
        Followed fresh = new Followed(voter.text(), voter.position(), length, voter.match(), step);
        Optional<Followed> known = followed.stream()
                .filter(one -> one.text == voter.text()
                        && Math.abs(voter.position() - one.position) <= 48
                        && length - one.length <= 64)
                .findFirst();
        if (known.isPresent()) {
            Followed one = known.get();
            if (voter.match() > 3 || voter.position() - one.position == length - one.length) {
                int credit = one.credit + Math.max(1, length - one.length);
                followed.set(followed.indexOf(one), new Followed(one.text, voter.position(), length, credit, step));
            }
        } else if (followed.size() < 8) {
            followed.add(fresh);
        } else {
            Followed weakest = followed.stream()
                    .min(Comparator.comparingDouble(one -> one.worth(step)))
                    .orElseThrow();
            if (weakest.worth(step) < voter.match()) {
                followed.set(followed.indexOf(weakest), fresh);
            }
        }
    }

    private Optional<Voter> tell(int index, ContextAutomaton own) {
        Followed one = followed.get(index);
        int expected = one.position + own.length() - one.length;
        int credit = Math.min(64, one.credit);
        if (one.length == own.length()) {
            return Optional.of(new Voter(one.text, expected, credit, ALIGNED));
        }
        if (own.length() - one.length > 64) {
            return Optional.empty();
        }
        List<Integer> rest = IntStream.rangeClosed(one.position + 1, expected + 12)
                .takeWhile(at -> one.text.token(at) >= 0)
                .boxed()
                .toList();
        Optional<Integer> best = rest.stream()
                .filter(at -> at >= expected - 12)
                .filter(at -> match(one.text, at, own) > 0)
                .min(Comparator.comparingInt((Integer at) -> -match(one.text, at, own))
                        .thenComparingInt(at -> Math.abs(at - expected)));
        if (best.isPresent()) {
            int match = match(one.text, best.get(), own);
            if (match > 1) {
                followed.set(index, new Followed(one.text, best.get(), own.length(), one.credit + match, step));
            }
            return Optional.of(new Voter(one.text, best.get(), credit, ALIGNED));
        }
        boolean soon = own.length() - one.length <= 6 && rest.contains(expected);
        return soon ? Optional.of(new Voter(one.text, expected, Math.max(1, credit / 4), ALIGNED)) : Optional.empty();
    }

    private static int match(TokenText text, int position, ContextAutomaton own) {
        int match = 0;
        while (match < Math.min(64, own.length())
                && text.token(position - match) == own.token(own.length() - 1 - match)) {
            match++;
        }
        return match;
    }
}
