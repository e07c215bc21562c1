package io.tailrace.lab.traffic;

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

    /**
     * A turn on its way out.
     *
     * @param session unique within the stream
     * @param parent id of the session's request before, or null
     */
    record Dealt(String workload, String session, String parent, Workload.Turn turn) {}

    private static final class Session {
        private final String name;
        private final String workload;
        private final Queue<Workload.Turn> turns;
        private String lastRequest;

        Session(String name, String workload, List<Workload.Turn> turns) {
            this.name = name;
            this.workload = workload;
            this.turns = new ArrayDeque<>(turns);
        }
    }

    private final String scope;
    private final List<Share> mix;
    private final List<Session> live = new ArrayList<>();
    private int sessions;

    Tenant(String scope, List<Share> mix) {
        this.scope = scope;
        this.mix = List.copyOf(mix);
    }

    String scope() {
        return scope;
    }

    /** The next turn of one of the live sessions, as request {@code id}. Sessions that are open at the shift are finished. */
    Dealt next(String id, boolean shifted, SplittableRandom random) {
        while (live.size() < LIVE_SESSIONS) {
            Workload workload = draw(shifted, random);
            live.add(new Session(scope + "-" + sessions++, workload.name(), workload.session(random)));
        }
        int which = random.nextInt(live.size());
        Session session = live.get(which);
        Dealt dealt = new Dealt(session.workload, session.name, session.lastRequest, session.turns.remove());
        session.lastRequest = id;
        if (session.turns.isEmpty()) {
            live.remove(which);
        }
        return dealt;
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
