package io.tailrace.client.draft.internal;

import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The lanes' makers of drafters, and the drafters that wait for a request. No more wait, in all lanes together, than there may be requests at
 * once: above that, and where a request finds no {@linkplain ContextRoom room}, the lane asked for longest ago loses one. One whose context was long
 * does not wait, for its arrays would stay. Of many lanes those that nobody asks for any more lose their makers, too, and with them what was learned
 * here; when such a lane is asked for again it begins with its policy's weights, which know that by then. One thread.
 */
public final class LaneMakers implements AutoCloseable {
    /** So long a lane may go unasked for. What is learned here is in the lane's policies long before. */
    static final long UNASKED_MILLIS_MAX = 30L * 60 * 1_000;
    /** So many lanes, those asked for last, keep their makers however long ago that was: a worker may be alone, without policies. */
    static final int LANES_KEPT = 8;

    private final int idleMax;
    private final Supplier<? extends DrafterMaker> newMaker;
    private final ContextRoom room;
    private final LongSupplier clockMillis;
    /** Those asked for longest ago first. */
    private final Map<String, LaneMaker> makers = new LinkedHashMap<>(16, 0.75f, true);

    private int idle;

    /**
     * None yet.
     *
     * @param idleMax drafters that wait at most
     * @param newMaker makes a lane's maker
     */
    public LaneMakers(int idleMax, Supplier<? extends DrafterMaker> newMaker) {
        this(idleMax, newMaker, ContextRoom.ofProcess(), System::currentTimeMillis);
    }

    LaneMakers(int idleMax, Supplier<? extends DrafterMaker> newMaker, ContextRoom room, LongSupplier clockMillis) {
        this.idleMax = idleMax;
        this.newMaker = newMaker;
        this.room = room;
        this.clockMillis = clockMillis;
    }

    /**
     * The maker of a lane that a request asks for.
     *
     * @param deletes how many concerned the lane so far: with each, what its drafters share of answers goes
     */
    LaneMaker of(String scope, long deletes) {
        long now = clockMillis.getAsLong();
        forgetUnasked(now);
        LaneMaker maker = makers.get(scope);
        if (maker != null && maker.deletes != deletes && maker.maker.sharesTokens()) {
            forget(maker);
            maker = null;
        }
        if (maker == null) {
            maker = new LaneMaker(newMaker.get(), true);
            makers.put(scope, maker);
        }
        maker.deletes = deletes;
        maker.askedAtMillis = now;
        return maker;
    }

    private static void forget(LaneMaker maker) {
        maker.dropIdle();
        maker.kept = false;
    }

    /** A maker for one request, of which nothing is kept. */
    LaneMaker passing() {
        return new LaneMaker(newMaker.get(), false);
    }

    /** Drafters that wait. */
    int idle() {
        return idle;
    }

    /** Lanes whose makers are kept. */
    int lanes() {
        return makers.size();
    }

    private void forgetUnasked(long now) {
        Iterator<LaneMaker> longestAgo = makers.values().iterator();
        for (int left = makers.size(); left > LANES_KEPT; left--) {
            LaneMaker maker = longestAgo.next();
            if (now - maker.askedAtMillis < UNASKED_MILLIS_MAX) {
                return;
            }
            forget(maker);
            longestAgo.remove();
        }
    }

    /** False if none waits. */
    private boolean dropOneIdle() {
        for (LaneMaker maker : makers.values()) {
            HousedDrafter dropped = maker.idleDrafters.pollLast();
            if (dropped != null) {
                awaken(dropped);
                dropped.leave();
                return true;
            }
        }
        return false;
    }

    /** It waits no more. */
    private void awaken(HousedDrafter drafter) {
        idle--;
        room.awaken(drafter.roomTokens());
    }

    /** No drafter waits any more, for nobody will ask. */
    @Override
    public void close() {
        makers.values().forEach(LaneMakers::forget);
        makers.clear();
    }

    /** A lane's maker with drafters that wait for a request. */
    final class LaneMaker {
        private final DrafterMaker maker;
        private final Deque<HousedDrafter> idleDrafters = new ArrayDeque<>();
        private boolean kept;
        private long askedAtMillis;
        private long deletes;
        private DraftPolicy policy;

        private LaneMaker(DrafterMaker maker, boolean kept) {
            this.maker = maker;
            this.kept = kept;
        }

        /**
         * A drafter with room for a request's context.
         *
         * @param contextTokens how many that has now
         * @return null if there is no room
         */
        HousedDrafter take(LoadedSnapshot snapshot, int contextTokens) {
            DraftPolicy now = snapshot.policy();
            maker.requestBegins(snapshot.driftAlarm());
            if (!now.equals(policy)) {
                policy = now;
                dropIdle();
            }
            HousedDrafter waited = idleDrafters.poll();
            if (waited != null) {
                awaken(waited);
            }
            int tokens = room.ofDrafter(contextTokens);
            if (!takeRoom(tokens - (waited == null ? 0 : waited.roomTokens()))) {
                room.refused(contextTokens);
                if (waited != null) {
                    waited.leave();
                }
                return null;
            }
            HousedDrafter taken =
                    waited == null ? new HousedDrafter(maker.another(now, snapshot.learnedAtMillis()), room) : waited;
            taken.housed(tokens);
            return taken;
        }

        /** The room of drafters that wait is given up for it. */
        private boolean takeRoom(int more) {
            while (!room.take(Math.max(0, more))) {
                if (!dropOneIdle()) {
                    return false;
                }
            }
            return true;
        }

        /** Of the drafters that wait those of the lane asked for longest ago make room for it. */
        private boolean letWait(int tokens) {
            while (!room.letWait(tokens)) {
                if (!dropOneIdle()) {
                    return false;
                }
            }
            return true;
        }

        /** The request is over. */
        void giveBack(HousedDrafter drafter, DraftPolicy madeFor) {
            int tokens = drafter.roomTokens();
            boolean serves = kept && madeFor.equals(policy) && tokens <= room.idleTokensMax(idleMax);
            if (!serves || !letWait(tokens)) {
                drafter.leave();
                return;
            }
            drafter.drafter().end();
            idleDrafters.push(drafter);
            idle++;
            if (idle > idleMax) {
                dropOneIdle();
            }
        }

        private void dropIdle() {
            idleDrafters.forEach(LaneMakers.this::awaken);
            idleDrafters.forEach(HousedDrafter::leave);
            idleDrafters.clear();
        }
    }
}
