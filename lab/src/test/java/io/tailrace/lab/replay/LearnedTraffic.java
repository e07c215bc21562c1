package io.tailrace.lab.replay;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.GenerationReplay;

/** Drafts requests one after the other from what came before, as a fleet without lag would, and says how surprised its mixer was. */
public final class LearnedTraffic {
    private final ReplayLane lane = new ReplayLane();
    private final AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
    private final GenerationReplay replay = new GenerationReplay();

    /** Serves one request, then takes its response in; the figures are of the last one. */
    public void serve(ReplayCase request) {
        replay.run(
                drafter,
                request.prompt(),
                request.response(),
                lane.index(),
                DraftPolicy.defaults().budgetMax());
        lane.add(request.answer());
    }

    /** Nats, summed over the predictions. */
    public double logLoss() {
        return drafter.logLoss();
    }

    /** Places at which it is known what came. */
    public long predictions() {
        return drafter.predictions();
    }

    public long steps() {
        return replay.steps();
    }

    public long accepted() {
        return replay.accepted();
    }
}
