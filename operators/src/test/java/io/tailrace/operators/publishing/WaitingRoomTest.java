package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WaitingRoomTest {
    private static final long SEED = 20_261_129L;
    private static final int LANES = 20;
    private static final long ROOM = 1_000;

    private final WaitingRoom room = new WaitingRoom(ROOM);
    private final List<WaitingRoom.Share> shares =
            IntStream.range(0, LANES).mapToObj(lane -> room.share()).toList();

    @Test
    void whatWaitsInAllLanesIsBoundedWhicheverGetMore() {
        Random random = new Random(SEED);
        long[] waiting = new long[LANES];
        long most = 0;
        for (int i = 0; i < 100_000; i++) {
            int lane = (int) (LANES * Math.pow(random.nextDouble(), 1 + i / 20_000));
            if (shares.get(lane).isOverfull() || random.nextInt(1_000) == 0) {
                waiting[lane] = 0; // a fold
            } else {
                waiting[lane] += 1 + random.nextInt(5);
            }
            shares.get(lane).holds(waiting[lane]);
            most = Math.max(
                    most, IntStream.range(0, LANES).mapToLong(at -> waiting[at]).sum());
        }
        assertThat(most).isBetween(ROOM, 2 * ROOM);
    }

    @Test
    void aLaneWithLittleGoesOnWhileOthersWait() {
        shares.get(0).holds(ROOM);
        shares.get(1).holds(1);
        assertThat(shares.get(0).isOverfull()).isTrue();
        assertThat(shares.get(1).isOverfull()).isFalse();
        List<WaitingRoom.Share> others = new ArrayList<>(shares);
        others.remove(1);
        others.forEach(WaitingRoom.Share::close);
        shares.get(1).holds(ROOM);
        assertThat(shares.get(1).isOverfull()).isFalse();
        shares.get(1).holds(ROOM + 1);
        assertThat(shares.get(1).isOverfull()).isTrue();
    }
}
