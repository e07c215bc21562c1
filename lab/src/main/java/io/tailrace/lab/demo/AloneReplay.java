package io.tailrace.lab.demo;

import io.tailrace.client.verification.Verdict;
import io.tailrace.lab.load.RecordedVerifier;
import io.tailrace.lab.load.SimulatedStepTime;
import io.tailrace.lab.load.VerifierSession;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker would have had alone: each of its requests once more, drafted from its own context and the worker's own
 * earlier answers, which are searchable at once. What the worker really got beyond that came from the others. Measured beside
 * the real run on the same requests; one thread at a time.
 */
final class AloneReplay {
    /** More than any demo answers: nothing of its own is forgotten. */
    private static final int OWN_TOKENS_MAX = 64_000_000;

    private final int budget;
    private final Map<String, Lane> lanes = new HashMap<>();
    private long steps;

    AloneReplay(int budget) {
        this.budget = budget;
    }

    private record Lane(Drafter drafter, FreshIndex answers, LaneIndex index) {
        static Lane empty() {
            FreshIndex answers = new FreshIndex(OWN_TOKENS_MAX);
            Drafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
            return new Lane(drafter, answers, new LaneIndex(List.of(), null, answers));
        }
    }

    /** Decodes the request with what the worker itself answered before, then remembers its answer. */
    void serve(RecordedRequest request) {
        Lane lane = lanes.computeIfAbsent(request.scope(), scope -> Lane.empty());
        Verdict verdict = new Verdict();
        try (RecordedVerifier verifier = new RecordedVerifier(SimulatedStepTime.defaults());
                VerifierSession session = verifier.begin(request)) {
            lane.drafter().begin(request.prompt(), request.prompt().length);
            do {
                session.verify(lane.drafter().draft(lane.index(), budget), verdict);
                lane.drafter().verified(verdict.tokens(), verdict.length());
                steps++;
            } while (!verdict.finished());
        }
        lane.answers().add(request.response(), System.currentTimeMillis());
    }

    /** Verifications so far. */
    long steps() {
        return steps;
    }
}
