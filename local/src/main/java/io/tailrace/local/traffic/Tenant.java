package io.tailrace.local.traffic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;

/** One scope's traffic: a few live sessions side by side, each opened from the mix of its time. */
final class Tenant {
    private static final int LIVE_SESSIONS = 4;

    /** How often a workload is asked for before and after the shift. */
    record Share(Workload workload, double before, double after) {}

    record Dealt(String workload, Turn turn) {}

    private record Session(String workload, Queue<Turn> turns) {}

    private final String scope;
    private final List<Share> mix;
    private final List<Session> live = new ArrayList<>();

    Tenant(String scope, List<Share> mix) {
        this.scope = scope;
        this.mix = List.copyOf(mix);
    }

    String scope() {
        return scope;
    }

    /** The next turn of one of the live sessions. Sessions that are open at the shift are finished. */
    Dealt next(boolean shifted, SplittableRandom random) {
        while (live.size() < LIVE_SESSIONS) {
            Workload workload = draw(shifted, random);
            live.add(new Session(workload.name(), new ArrayDeque<>(workload.session(random))));
        }
        int which = random.nextInt(live.size());
        Session session = live.get(which);
        Turn turn = session.turns().remove();
        if (session.turns().isEmpty()) {
            live.remove(which);
        }
        return new Dealt(session.workload(), turn);
    }

    private Workload draw(boolean shifted, SplittableRandom random) {
        double left = random.nextDouble();
        Workload last = null;
        for (Share share : mix) {
            double weight = shifted ? share.after() : share.before();
            if (weight > 0) {
                last = share.workload();
                left -= weight;
            }
            if (left < 0) {
                break;
            }
        }
        return last;
    }
}
