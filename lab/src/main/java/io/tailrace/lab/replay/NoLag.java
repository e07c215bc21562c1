package io.tailrace.lab.replay;

import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.GenerationReplay;
import java.util.ArrayList;
import java.util.List;

/**
 * What drafting gives, request by request, where every finished response is in the index at once: what a loop with its seconds of lag
 * is held against. Budget 16, the product's weights to begin with, one mixer that learns from every request.
 */
public final class NoLag {
    private final ReplayLane lane = new ReplayLane();
    private final AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
    private final GenerationReplay replay = new GenerationReplay();
    private final boolean prompts;

    /** @param prompts answers are remembered with what a job keeps of their prompts; false: as of producers that send none */
    public NoLag(boolean prompts) {
        this.prompts = prompts;
    }

    /**
     * One request.
     *
     * @param steps verifications
     * @param accepted draft tokens accepted
     */
    public record Figure(long steps, long accepted) {}

    /** Serves one request, then takes its response in. */
    public Figure serve(ReplayCase request) {
        replay.run(
                drafter,
                request.prompt(),
                request.response(),
                lane.index(),
                DraftPolicy.defaults().budgetMax());
        lane.add(prompts ? request.answer() : RememberedAnswer.of(request.response()));
        return new Figure(replay.steps(), replay.accepted());
    }

    /** Serves all of them in order. */
    public static List<Figure> serve(List<ReplayCase> requests, boolean prompts) {
        NoLag server = new NoLag(prompts);
        List<Figure> figures = new ArrayList<>();
        requests.forEach(request -> figures.add(server.serve(request)));
        return figures;
    }

    /** Accepted draft tokens a verification over some of the requests; 0 if there was none. */
    public static double acceptedPerStep(List<Figure> figures, int from, int to) {
        long steps = 0;
        long accepted = 0;
        for (Figure figure : figures.subList(from, to)) {
            steps += figure.steps();
            accepted += figure.accepted();
        }
        return steps == 0 ? 0 : (double) accepted / steps;
    }
}
