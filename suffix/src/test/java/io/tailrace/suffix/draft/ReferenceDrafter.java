package io.tailrace.suffix.draft;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.context.ContextAutomaton;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The dull twin of {@link AdaptiveDrafter}: the same rules with maps and lists, nothing reused, nothing precomputed. It
 * shares with it only what has its own oracle: the own context's automaton and the two tabled functions.
 */
final class ReferenceDrafter implements Drafter {
    record Voter(TokenText text, int position, int match, int source) {}

    static final class Choice {
        final int token;
        final List<Voter> voters = new ArrayList<>();
        final Map<Integer, Float> inputs = new TreeMap<>();
        Spot parent;
        float probability;
        Spot spot;

        Choice(int token) {
            this.token = token;
        }
    }

    /** A place in the tree: the context's end, or a node. */
    static final class Spot {
        int node = -1;
        int depth;
        float probability = 1;
        final Map<Integer, Choice> choices = new LinkedHashMap<>();
        int lengthSet;
        int crowdSet;
    }

    record Drafted(int token, int parent, float probability, SourceKind source, int matchLength) {}

    private static final int[] LENGTHS = {1, 2, 3, 4, 6, 9, 14, 22};
    private static final int KINDS = 6;

    private final DraftPolicy policy;
    private final float[][] byLength = new float[15][KINDS * 8 + 6];
    private final float[][] byCrowd = new float[32][KINDS * 8 + 6];
    private ContextAutomaton own;
    private Spot root;
    private List<Drafted> nodes = List.of();

    ReferenceDrafter(float[] weights, DraftPolicy policy) {
        this.policy = policy;
        int at = 0;
        for (float[][] sets : List.of(byLength, byCrowd)) {
            for (float[] set : sets) {
                System.arraycopy(weights, at, set, 0, set.length);
                at += set.length;
            }
        }
    }

    float[] weights() {
        float[] all = new float[47 * (KINDS * 8 + 6)];
        int at = 0;
        for (float[][] sets : List.of(byLength, byCrowd)) {
            for (float[] set : sets) {
                System.arraycopy(set, 0, all, at, set.length);
                at += set.length;
            }
        }
        return all;
    }

    List<Drafted> nodes() {
        return nodes;
    }

    @Override
    public void begin(int[] prompt, int length) {
        own = new ContextAutomaton();
        own.reset();
        root = null;
        append(prompt, length);
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        nodes = new ArrayList<>();
        root = null;
        int most = policy.enabled() ? Math.min(budget, policy.budgetMax()) : 0;
        if (most == 0 || own.length() == 0) {
            return null;
        }
        root = new Spot();
        List<Choice> waiting = new ArrayList<>(expand(root, voters(index)));
        while (nodes.size() < most && !waiting.isEmpty()) {
            Choice best = waiting.get(0);
            for (Choice choice : waiting) {
                best = choice.probability > best.probability ? choice : best;
            }
            waiting.remove(best);
            waiting.addAll(expand(draftNode(best), best.voters));
        }
        return null;
    }

    @Override
    public void verified(int[] tokens, int length) {
        Spot spot = root;
        root = null;
        for (int i = 0; i < length && spot != null; i++) {
            for (Choice choice : spot.choices.values()) {
                learn(byLength[spot.lengthSet], choice, choice.token == tokens[i]);
                learn(byCrowd[spot.crowdSet], choice, choice.token == tokens[i]);
            }
            Choice taken = spot.choices.get(tokens[i]);
            spot = taken == null ? null : taken.spot;
        }
        append(tokens, length);
    }

    private Spot draftNode(Choice choice) {
        Voter best = null;
        for (Voter voter : choice.voters) {
            best = best == null || voter.match > best.match ? voter : best;
        }
        nodes.add(new Drafted(
                choice.token,
                choice.parent.node,
                choice.probability,
                List.of(SourceKind.values()).get(best.source),
                best.match));
        Spot spot = new Spot();
        spot.node = nodes.size() - 1;
        spot.depth = choice.parent.depth + 1;
        spot.probability = choice.probability;
        choice.spot = spot;
        return spot;
    }

    private List<Choice> expand(Spot spot, List<Voter> voters) {
        Map<Integer, Integer> totals = new TreeMap<>();
        int longest = 0;
        for (Voter voter : voters) {
            int token = voter.text.token(voter.position + 1 + spot.depth);
            if (token < 0) {
                continue;
            }
            spot.choices.computeIfAbsent(token, Choice::new).voters.add(voter);
            columns(voter, spot.depth).forEach(column -> totals.merge(column, 1, Integer::sum));
            longest = Math.max(longest, voter.match + spot.depth);
        }
        List<Choice> worthwhile = new ArrayList<>();
        spot.lengthSet = lengthSet(longest);
        spot.crowdSet = crowdSet(spot.choices.size(), totals);
        for (Choice choice : spot.choices.values()) {
            choice.parent = spot;
            describe(choice, spot.depth, totals, longest);
            choice.probability = spot.probability * judge(choice, spot);
            if (choice.probability >= policy.probabilityFloor()) {
                worthwhile.add(choice);
            }
        }
        return worthwhile;
    }

    private static List<Integer> columns(Voter voter, int depth) {
        List<Integer> columns = new ArrayList<>();
        for (int level = 0; level < LENGTHS.length; level++) {
            if (voter.match + depth >= LENGTHS[level]) {
                columns.add(voter.source * LENGTHS.length + level);
            }
        }
        return columns;
    }

    private static void describe(Choice choice, int depth, Map<Integer, Integer> totals, int longest) {
        Map<Integer, Integer> votes = new TreeMap<>();
        int match = 0;
        for (Voter voter : choice.voters) {
            columns(voter, depth).forEach(column -> votes.merge(column, 1, Integer::sum));
            match = Math.max(match, voter.match + depth);
        }
        totals.forEach(
                (column, total) -> choice.inputs.put(column, Features.logOdds(votes.getOrDefault(column, 0), total)));
        int ownVotes = votes.getOrDefault(0, 0);
        int shared = 0;
        for (SourceKind kind : List.of(SourceKind.OLDER, SourceKind.NEWEST, SourceKind.FRESH)) {
            shared += votes.getOrDefault(kind.index() * LENGTHS.length, 0);
        }
        choice.inputs.put(48, (float) StrictMath.log1p(ownVotes + shared));
        choice.inputs.put(49, ownVotes > 0 && shared > 0 ? 1f : 0f);
        choice.inputs.put(50, 1f);
        choice.inputs.put(51, (float) StrictMath.log1p(match) - 1.5f);
        choice.inputs.put(52, depth * 0.1f);
        choice.inputs.put(53, match == longest ? 1f : 0f);
    }

    private float judge(Choice choice, Spot spot) {
        float[] sum = new float[1];
        choice.inputs.forEach((feature, value) ->
                sum[0] += (byLength[spot.lengthSet][feature] + byCrowd[spot.crowdSet][feature]) * 0.5f * value);
        return Logistic.of(sum[0]);
    }

    private static void learn(float[] weights, Choice choice, boolean hit) {
        float[] sum = new float[1];
        choice.inputs.forEach((feature, value) -> sum[0] += weights[feature] * value);
        float step = Mixer.LEARNING_RATE * ((hit ? 1 : 0) - Logistic.of(sum[0]));
        choice.inputs.forEach((feature, value) -> weights[feature] += step * value);
    }

    private static int lengthSet(int longest) {
        int[] upTo = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64};
        int at = Arrays.binarySearch(upTo, longest);
        return at >= 0 ? at : -at - 1;
    }

    private static int crowdSet(int candidates, Map<Integer, Integer> totals) {
        boolean own = totals.containsKey(SourceKind.OWN.index() * LENGTHS.length);
        boolean shared = totals.containsKey(SourceKind.OLDER.index() * LENGTHS.length)
                || totals.containsKey(SourceKind.NEWEST.index() * LENGTHS.length)
                || totals.containsKey(SourceKind.FRESH.index() * LENGTHS.length);
        return Math.max(0, (Math.min(candidates, 8) - 1) * 4 + (own ? 1 : 0) + (shared ? 2 : 0));
    }

    private List<Voter> voters(LaneIndex index) {
        Occurrences found = new Occurrences();
        own.occurrences(8, 0, found);
        List<OccurrenceIndex> shared = new ArrayList<>(index.older());
        shared.forEach(older -> older.nearest(own.tokens(), own.length(), 16, 1, found));
        if (index.newest() != null) {
            index.newest().nearest(own.tokens(), own.length(), 16, 2, found);
            shared.add(index.newest());
        }
        if (index.fresh() != null) {
            index.fresh().nearest(own.tokens(), own.length(), 16, 3, found);
            shared.add(index.fresh());
        }
        List<Voter> voters = list(found);
        shared.forEach(source -> voters.addAll(gapped(source)));
        Occurrences ownGapped = new Occurrences();
        own.gappedOccurrences(1, 3, 3, 5, ownGapped);
        voters.addAll(list(ownGapped));
        return voters;
    }

    private List<Voter> gapped(OccurrenceIndex source) {
        Occurrences found = new Occurrences();
        source.nearest(own.tokens(), own.length() - 1, 3, 4, found);
        List<Voter> voters = new ArrayList<>();
        for (Voter voter : list(found)) {
            int inGap = voter.text.token(voter.position + 1);
            if (voter.match >= 3 && inGap >= 0 && inGap != own.tokens()[own.length() - 1]) {
                voters.add(new Voter(voter.text, voter.position + 1, voter.match, voter.source));
            }
        }
        return voters;
    }

    private static List<Voter> list(Occurrences found) {
        List<Voter> voters = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            voters.add(new Voter(found.text(i), found.position(i), found.matchLength(i), found.source(i)));
        }
        return voters;
    }

    private void append(int[] tokens, int length) {
        for (int i = 0; i < length; i++) {
            own.append(tokens[i]);
        }
    }
}
