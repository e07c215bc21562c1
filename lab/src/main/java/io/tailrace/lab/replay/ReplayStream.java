package io.tailrace.lab.replay;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Requests that are replayed one after the other against lanes that start empty: those of one file, or those of an order over
 * several files.
 *
 * @param name for people
 * @param cases in order
 * @param sessions how many conversations or agent runs they belong to; 0: not said
 */
public record ReplayStream(String name, List<ReplayCase> cases, int sessions) {
    /** Marks every case whose response was given before in its scope. */
    public ReplayStream {
        cases = marked(cases);
    }

    /** Requests of which no session is known. */
    public ReplayStream(String name, List<ReplayCase> cases) {
        this(name, cases, 0);
    }

    /** The same requests in an order that the seed decides. */
    public ReplayStream shuffled(long seed) {
        List<ReplayCase> other = new ArrayList<>(cases);
        Collections.shuffle(other, new Random(seed));
        return new ReplayStream(name, other, sessions);
    }

    /** The same requests as if all scopes had opted into one shared scope. */
    public ReplayStream inOneScope() {
        return new ReplayStream(
                name, cases.stream().map(request -> request.inScope("")).toList(), sessions);
    }

    /** Response tokens of all requests. */
    public long tokens() {
        return cases.stream().mapToLong(request -> request.response().length).sum();
    }

    private static List<ReplayCase> marked(List<ReplayCase> cases) {
        Map<String, Set<IntBuffer>> seen = new HashMap<>();
        List<ReplayCase> marked = new ArrayList<>(cases.size());
        for (ReplayCase request : cases) {
            boolean first = seen.computeIfAbsent(request.scope(), scope -> new HashSet<>())
                    .add(IntBuffer.wrap(request.response()));
            marked.add(request.repeated(!first));
        }
        return List.copyOf(marked);
    }
}
