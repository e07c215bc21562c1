package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.TestDoor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An engine that begins, verifies, forgets, pauses and aborts requests as a seed says, and holds every reply to the protocol's rules. */
final class RandomEngine {
    private static final int RUNNING_MAX = 6;
    private static final int WORDS = 12;

    private final TestDoor door;
    private final Random random;
    private final int vocabulary;
    private final Map<Integer, TestDoor.Draft> running = new HashMap<>();
    private int begun;
    private long sequence;

    RandomEngine(TestDoor door, int seed, int vocabulary) {
        this.door = door;
        this.random = new Random(seed);
        this.vocabulary = vocabulary;
    }

    void run(int steps) throws IOException {
        for (int step = 0; step < steps; step++) {
            step();
        }
    }

    private void step() throws IOException {
        beginSomeEarly();
        Map<Integer, Integer> most = new HashMap<>();
        List<Integer> order = new ArrayList<>();
        int rows = 0;
        int requests = 0;
        for (int request : List.copyOf(running.keySet())) {
            TestDoor.Draft draft = running.get(request);
            if (random.nextInt(5) > 0) {
                int drafted = draft == null ? 0 : draft.tokens().length;
                int verified = random.nextInt(4) == 0 ? 0 : random.nextInt(drafted + 1);
                door.extend(request, verified, said(draft, verified));
                rows += 1 + verified;
                requests++;
            }
            if (random.nextInt(12) == 0) {
                door.end(request, 1 + random.nextInt(4));
                running.remove(request);
            } else {
                running.put(request, null);
            }
        }
        while (running.size() < RUNNING_MAX && random.nextInt(3) == 0) {
            begin();
            if (random.nextInt(8) == 0) {
                door.end(begun, 3);
                running.remove(begun);
            }
        }
        for (int request : running.keySet()) {
            if (random.nextInt(4) > 0) {
                most.put(request, 1 + random.nextInt(64));
                door.draft(request, most.get(request));
                order.add(request);
            }
        }
        long nanos = random.nextInt(3) == 0 ? 0 : 1_000_000 + random.nextInt(1_000_000) + 100_000L * rows;
        TestDoor.Reply reply = door.step(nanos, requests, rows);
        assertThat(reply.sequence()).isEqualTo(++sequence);
        assertThat(reply.drafts().stream().map(TestDoor.Draft::request)).containsExactlyElementsOf(order);
        for (TestDoor.Draft draft : reply.drafts()) {
            check(draft, Math.min(16, most.get(draft.request())));
            running.put(draft.request(), draft);
        }
    }

    /** Steps that only begin requests stand between others. */
    private void beginSomeEarly() throws IOException {
        while (running.size() < RUNNING_MAX && random.nextInt(4) == 0) {
            begin();
            TestDoor.Reply reply = door.step(0, 0, 0);
            assertThat(reply.sequence()).isEqualTo(++sequence);
            assertThat(reply.drafts()).isEmpty();
        }
    }

    private void begin() {
        int[] tokens = tokens(1 + random.nextInt(30));
        String scope = random.nextInt(4) == 0 ? "other" : "";
        door.begin(++begun, "r" + begun, scope, random.nextInt(6) == 0, random.nextInt(tokens.length + 1), tokens);
        running.put(begun, null);
    }

    private void check(TestDoor.Draft draft, int most) {
        assertThat(draft.tokens().length).isLessThanOrEqualTo(most);
        float before = 1;
        for (int node = 0; node < draft.tokens().length; node++) {
            assertThat(draft.tokens()[node]).isBetween(0, vocabulary - 1);
            assertThat(draft.parents()[node]).as("it verifies lines").isEqualTo(node - 1);
            assertThat(draft.probabilities()[node]).isBetween(0f, before);
            assertThat(draft.sources()[node]).isBetween(0, 8);
            before = draft.probabilities()[node];
        }
    }

    /** What was said: some of the draft's tokens, and one more. */
    private int[] said(TestDoor.Draft draft, int verified) {
        int right = verified == 0 ? 0 : random.nextInt(verified + 1);
        int[] said = tokens(right + 1);
        for (int i = 0; i < right; i++) {
            said[i] = draft.tokens()[i];
        }
        return said;
    }

    /** Few words, so that much repeats. */
    private int[] tokens(int count) {
        return random.ints(count, 0, WORDS).toArray();
    }
}
