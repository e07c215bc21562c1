package io.tailrace.suffix.draft;

import io.tailrace.suffix.ContextAutomaton;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The dull twin of {@link AdaptiveDrafter}: the same rules with maps and lists, nothing reused, nothing precomputed; {@link ReferenceMixer} judges. It
 * shares with it only what has its own oracle: the own context's automaton, prompts' signatures and the two tabled functions.
 */
final class ReferenceDrafter implements Drafter {
    /** @param rank of the similar request whose answer this is, from 0; -1: of none */
    record Voter(TokenText text, int position, int match, int source, int rank) {
        Voter(TokenText text, int position, int match, int source) {
            this(text, position, match, source, -1);
        }
    }

    static final class Choice {
        final int token;
        final List<Voter> voters = new ArrayList<>();
        final Map<Integer, Float> inputs = new TreeMap<>();
        final float[] scalars = new float[SCALARS];
        int tokenSet;
        /** What the mixer's inputs sum to, and its rank in the target's row. */
        float said;

        int rank;
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
        final List<Integer> path = new ArrayList<>();
        final Map<Integer, Choice> choices = new LinkedHashMap<>();
        /** The target's own candidates that no voter names. */
        final Map<Integer, Choice> unvoted = new LinkedHashMap<>();
        /** Those of the lane's rows or of the request's. */
        float[] weights;

        /** What the voters leave over. */
        float left = 1;
        /** What the inputs of a candidate without votes would be. */
        final Map<Integer, Float> common = new TreeMap<>();

        int lengthSet;
        int crowdSet;
        int longest;
        int latestOwn;
    }

    record Drafted(int token, int parent, float probability, SourceKind source, int matchLength) {}

    private static final int[] LENGTHS = {1, 2, 3, 4, 6, 9, 14, 22};
    private static final int KINDS = 9;
    /** So many of the most similar requests vote once more. */
    private static final int[] RANKED = {4, 2, 1};

    static final int VOTES = KINDS * 8 + RANKED.length;
    static final int SCALARS = 16;
    private static final int ALIGNED = SourceKind.ALIGNED.index();

    private final DraftPolicy policy;
    private final ReferenceRows rows;
    private final ReferenceMixer mixer;
    private final ReferenceAlignments alignments = new ReferenceAlignments();
    private final ReferenceSimilar similar = new ReferenceSimilar();
    /** Whether the own context votes. */
    private final boolean ownVotes;

    private ContextAutomaton own;
    private int promptLength;
    private LaneVocabulary vocabulary = LaneVocabulary.EMPTY;
    private Spot root;
    private List<Drafted> nodes = List.of();

    ReferenceDrafter(float[] weights, DraftPolicy policy) {
        this(weights, policy, null, true);
    }

    /** With the target's own candidates. */
    ReferenceDrafter(float[] weights, DraftPolicy policy, ReferenceRows rows) {
        this(weights, policy, rows, true);
    }

    /** With the target's own candidates, if there are rows, and with or without {@link DraftPart#OWN}. */
    ReferenceDrafter(float[] weights, DraftPolicy policy, ReferenceRows rows, boolean ownVotes) {
        this.policy = policy;
        this.rows = rows;
        this.ownVotes = ownVotes;
        this.mixer = new ReferenceMixer(weights);
    }

    float[] weights() {
        return mixer.weights();
    }

    List<Drafted> nodes() {
        return nodes;
    }

    @Override
    public void begin(int[] prompt, int length) {
        own = new ContextAutomaton();
        own.reset();
        alignments.clear();
        root = null;
        append(prompt, length);
        promptLength = length;
        similar.ask(Arrays.copyOf(prompt, length));
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
        vocabulary = index.vocabulary();
        List<Choice> waiting = new ArrayList<>(expand(root, voters(index)));
        while (nodes.size() < most && !waiting.isEmpty()) {
            Choice best = waiting.get(0);
            for (Choice choice : waiting) {
                best = choice.probability > best.probability ? choice : best;
            }
            waiting.remove(best);
            Spot spot = draftNode(best);
            if (best.probability * 0.5f > threshold(waiting, most - nodes.size())) {
                if (best.parent.choices.containsValue(best)) {
                    renew(spot, best);
                }
                waiting.addAll(expand(spot, best.voters));
            }
        }
        return null;
    }

    @Override
    public void verified(int[] tokens, int length) {
        Spot spot = root;
        root = null;
        for (int i = 0; i < length && spot != null; i++) {
            if (rows != null) {
                rows.learn(spot, tokens[i]);
            }
            mixer.learn(spot, tokens[i]);
            Choice taken = spot.choices.getOrDefault(tokens[i], spot.unvoted.get(tokens[i]));
            spot = taken == null ? null : taken.spot;
        }
        append(tokens, length);
    }

    /** The least probability that is still drafted if nothing likelier comes up. */
    private static float threshold(List<Choice> waiting, int left) {
        if (left == 0) {
            return Float.POSITIVE_INFINITY;
        }
        return waiting.stream()
                .map(choice -> choice.probability)
                .sorted(Comparator.reverseOrder())
                .skip(left - 1)
                .findFirst()
                .orElse(0f);
    }

    private Spot draftNode(Choice choice) {
        Voter best = null;
        for (Voter voter : choice.voters) {
            boolean longer = best == null || voter.match > best.match || best.source == ALIGNED;
            best = best == null || (voter.source != ALIGNED && longer) ? voter : best;
        }
        nodes.add(new Drafted(
                choice.token,
                choice.parent.node,
                choice.probability,
                best == null ? null : List.of(SourceKind.values()).get(best.source),
                best == null ? 0 : Math.max(1, best.match)));
        Spot spot = new Spot();
        spot.path.addAll(choice.parent.path);
        spot.path.add(choice.token);
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
            longest = voter.source == ALIGNED ? longest : Math.max(longest, voter.match + spot.depth);
        }
        for (int rank = 0; spot.depth == 0 && rank < vocabulary.popularTokens(); rank++) {
            spot.choices.computeIfAbsent(vocabulary.popularToken(rank), Choice::new);
        }
        spot.longest = longest;
        spot.lengthSet = lengthSet(longest);
        spot.crowdSet = crowdSet(spot.choices.size(), totals);
        spot.latestOwn = spot.choices.values().stream()
                .mapToInt(choice -> latestOwn(choice))
                .max()
                .orElse(0);
        totals.forEach((column, total) -> spot.common.put(column, logOdds(0, total)));
        for (Choice choice : spot.choices.values()) {
            choice.parent = spot;
            describe(choice, spot, totals);
        }
        mixer.judge(spot);
        if (rows != null) {
            rows.judge(spot, spot.node < 0 ? own.token(own.length() - 1) : spot.path.get(spot.path.size() - 1));
        }
        return Stream.concat(spot.choices.values().stream(), spot.unvoted.values().stream())
                .filter(choice -> choice.probability >= policy.probabilityFloor())
                .toList();
    }

    private static int latestOwn(Choice choice) {
        return choice.voters.stream()
                .filter(voter -> isOwn(voter.source))
                .mapToInt(Voter::position)
                .max()
                .orElse(Integer.MIN_VALUE);
    }

    private static List<Integer> columns(Voter voter, int depth) {
        List<Integer> columns = new ArrayList<>();
        for (int level = 0; level < LENGTHS.length; level++) {
            int match = voter.source == ALIGNED ? voter.match : voter.match + depth;
            if (match >= LENGTHS[level]) {
                columns.add(voter.source * LENGTHS.length + level);
            }
        }
        for (int level = 0; level < RANKED.length; level++) {
            if (voter.rank >= 0 && voter.rank < RANKED[level]) {
                columns.add(KINDS * LENGTHS.length + level);
            }
        }
        return columns;
    }

    private void describe(Choice choice, Spot spot, Map<Integer, Integer> totals) {
        Map<Integer, Integer> votes = new TreeMap<>();
        int match = 0;
        for (Voter voter : choice.voters) {
            columns(voter, spot.depth).forEach(column -> votes.merge(column, 1, Integer::sum));
            match = voter.source == ALIGNED ? match : Math.max(match, voter.match + spot.depth);
        }
        votes.forEach((column, count) ->
                choice.inputs.put(column, logOdds(count, totals.get(column)) - logOdds(0, totals.get(column))));
        int ownVotes = votes.getOrDefault(0, 0) + votes.getOrDefault(SourceKind.SAID.index() * LENGTHS.length, 0);
        int similar = votes.getOrDefault(SourceKind.SIMILAR.index() * LENGTHS.length, 0);
        int shared = similar;
        for (SourceKind kind : List.of(SourceKind.OLDER, SourceKind.NEWEST, SourceKind.FRESH)) {
            shared += votes.getOrDefault(kind.index() * LENGTHS.length, 0);
        }
        choice.scalars[0] = (float) StrictMath.log1p(ownVotes + shared);
        choice.scalars[1] = ownVotes > 0 && shared > 0 ? 1 : 0;
        choice.scalars[2] = 1;
        choice.scalars[3] = (float) StrictMath.log1p(match) - 1.5f;
        choice.scalars[4] = spot.depth * 0.1f;
        choice.scalars[5] = match == spot.longest ? 1 : 0;
        choice.scalars[6] = ownVotes > 0 && latestOwn(choice) == spot.latestOwn ? 1 : 0;
        choice.scalars[15] = choice.voters.isEmpty() ? 1 : 0;
        describeToken(choice, spot, ownVotes > 0, similar > 0 ? 2 : shared > 0 ? 1 : 0);
    }

    private void describeToken(Choice choice, Spot spot, boolean ownVotes, int others) {
        int classes = vocabulary.classes(choice.token);
        float rarity = vocabulary.rarity(classes);
        List<Integer> places = IntStream.range(0, own.length())
                .filter(place -> own.token(place) == choice.token)
                .boxed()
                .toList();
        boolean here = !places.isEmpty();
        int latest = here ? places.get(places.size() - 1) : -1;
        choice.scalars[7] = here ? rarity : 0;
        choice.scalars[8] = here ? 0 : rarity;
        int following = vocabulary.following(
                spot.path.isEmpty() ? own.token(own.length() - 1) : spot.path.get(spot.path.size() - 1));
        choice.scalars[9] = here
                ? vocabulary.copiedHere(classes) + vocabulary.copiedHere(following)
                : vocabulary.copiedElsewhere(classes) + vocabulary.copiedElsewhere(following);
        choice.scalars[10] = latest >= promptLength ? 1 : 0;
        choice.scalars[11] = ownVotes ? rarity : 0;
        choice.scalars[12] = here ? (float) StrictMath.log1p(Math.min(255, places.size())) * 0.3f : 0;
        choice.scalars[13] = here && own.length() - latest <= 100 ? 1 : 0;
        boolean popular = spot.depth == 0 && vocabulary.popularTokens() > 0;
        choice.scalars[14] = popular ? vocabulary.popularity(classes) : 0;
        choice.tokenSet = (here ? 1 : 0) + (ownVotes ? 2 : 0) + 4 * others + 12 * Math.min(3, (int) (rarity / 0.425f));
    }

    private static float logOdds(int votes, int total) {
        double share = Math.min(0.995, Math.max(0.005, (votes + 0.02) / (total + 0.4)));
        return (float) (StrictMath.log(share / (1 - share)) * total / (total + 1));
    }

    private static int lengthSet(int longest) {
        int[] upTo = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64};
        int at = Arrays.binarySearch(upTo, longest);
        return at >= 0 ? at : -at - 1;
    }

    private static int crowdSet(int candidates, Map<Integer, Integer> totals) {
        boolean own = totals.keySet().stream().anyMatch(column -> isOwn(column / LENGTHS.length));
        boolean shared = totals.containsKey(SourceKind.OLDER.index() * LENGTHS.length)
                || totals.containsKey(SourceKind.NEWEST.index() * LENGTHS.length)
                || totals.containsKey(SourceKind.FRESH.index() * LENGTHS.length)
                || totals.containsKey(SourceKind.SIMILAR.index() * LENGTHS.length);
        return Math.max(0, (Math.min(candidates, 8) - 1) * 4 + (own ? 1 : 0) + (shared ? 2 : 0));
    }

    private List<Voter> voters(LaneIndex index) {
        Occurrences found = ownVotes ? ownOccurrences() : new Occurrences();
        int ownFound = found.size();
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
        voters.addAll(alignments.voters(own, voters.subList(ownFound, voters.size()), shared));
        shared.forEach(source -> voters.addAll(gapped(source)));
        Occurrences ownGapped = new Occurrences();
        own.gappedOccurrences(1, 1, 6, 5, ownGapped);
        voters.addAll(ownVotes ? list(ownGapped) : List.of());
        similar.lookUp(index);
        voters.addAll(similar.longest(line(List.of())));
        return voters;
    }

    private Occurrences ownOccurrences() {
        Occurrences found = new Occurrences();
        own.occurrences(8, 0, found);
        List<Voter> linked = list(found);
        for (Voter voter : recent(List.of(), 24)) {
            if (linked.stream().noneMatch(known -> known.position == voter.position)) {
                found.add(own, voter.position, voter.match, 0);
            }
        }
        for (int i = 0; i < found.size(); i++) {
            found.setSource(i, ownKind(found.position(i)));
        }
        return found;
    }

    /** The latest places of the last token of the context and a path, as seen before the path. */
    private List<Voter> recent(List<Integer> path, int most) {
        int[] line = line(path);
        List<Voter> voters = new ArrayList<>();
        for (int place = own.length() - 2; place >= 0 && voters.size() < most; place--) {
            int match = 0;
            while (match < Math.min(64, Math.min(place + 1, line.length))
                    && own.token(place - match) == line[line.length - 1 - match]) {
                match++;
            }
            if (match > 0) {
                voters.add(new Voter(own, place - path.size(), match - path.size(), ownKind(place)));
            }
        }
        return voters;
    }

    /** The prompt and what the request has said are two sources. */
    private int ownKind(int place) {
        return place < promptLength ? SourceKind.OWN.index() : SourceKind.SAID.index();
    }

    private static boolean isOwn(int source) {
        return source == SourceKind.OWN.index() || source == SourceKind.SAID.index();
    }

    private int[] line(List<Integer> path) {
        int[] line = Arrays.copyOf(own.tokens(), own.length() + path.size());
        for (int i = 0; i < path.size(); i++) {
            line[own.length() + i] = path.get(i);
        }
        return Arrays.copyOfRange(line, Math.max(0, own.length() - 64), line.length);
    }

    private void renew(Spot spot, Choice choice) {
        List<Voter> joining = new ArrayList<>();
        if (choice.probability >= 0.05f) {
            joining.addAll(ownVotes ? recent(spot.path, 4) : List.of());
            joining.addAll(similar.first(line(spot.path), spot.depth));
        }
        for (Voter voter : joining) {
            if (choice.voters.stream()
                    .noneMatch(known -> known.text == voter.text && known.position == voter.position)) {
                choice.voters.add(voter);
            }
        }
    }

    private List<Voter> gapped(OccurrenceIndex source) {
        Occurrences found = new Occurrences();
        source.nearest(own.tokens(), own.length() - 1, 8, 4, found);
        List<Voter> voters = new ArrayList<>();
        for (Voter voter : list(found)) {
            int inGap = voter.text.token(voter.position + 1);
            if (inGap >= 0 && inGap != own.tokens()[own.length() - 1]) {
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
