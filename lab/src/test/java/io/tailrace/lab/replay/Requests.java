package io.tailrace.lab.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Requests of made-up tokens. */
public final class Requests {
    private Requests() {}

    /** A stream of so many requests over a tiny vocabulary, so that much is accepted by chance. */
    public static ReplayStream random(String workload, int requests, int tokens, long seed) {
        Random random = new Random(seed);
        List<ReplayCase> cases = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            int[] prompt = random.ints(5, 0, 6).toArray();
            cases.add(request(workload, "s", prompt, random.ints(tokens, 0, 6).toArray()));
        }
        return new ReplayStream(workload, cases);
    }

    public static ReplayCase request(String workload, String scope, int[] prompt, int[] response) {
        return new ReplayCase(workload, scope, prompt, response, false);
    }
}
