package io.tailrace.tap.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.tap.proxy.KeptBody.State;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class KeptBodyTest {
    private static final int ROOM_BYTES = 40_000;
    private static final int BODY_BYTES_MAX = 15_000;

    /** A body and what it must hold. */
    private static final class Twin {
        final KeptBody body;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean tooLarge;
        boolean arriving;

        Twin(KeptBody body, boolean arriving) {
            this.body = body;
            this.arriving = arriving;
        }

        boolean kept() {
            return body.state() == State.KEPT && bytes.size() > 0;
        }
    }

    @RepeatedTest(100)
    void holdsWhatItWasGivenOrNothingAndNeverMoreThanThereIsRoom(RepetitionInfo repetition) {
        int seed = repetition.getCurrentRepetition();
        Random random = new Random(seed);
        KeptBody.Room room = new KeptBody.Room(ROOM_BYTES);
        List<Twin> twins = new ArrayList<>();
        for (int step = 0; step < 500; step++) {
            int which = random.nextInt(20);
            if (which < 3 || twins.isEmpty()) {
                boolean arriving = random.nextBoolean();
                KeptBody body = arriving ? KeptBody.arriving(room, BODY_BYTES_MAX) : new KeptBody(room, BODY_BYTES_MAX);
                twins.add(new Twin(body, arriving));
            }
            Twin twin = twins.get(random.nextInt(twins.size()));
            if (which == 3) {
                twin.body.close();
                assertThat(twin.body.state()).isEqualTo(State.CLOSED);
                twins.remove(twin);
            } else if (which == 4) {
                twin.body.arrived();
                twin.arriving = false;
            } else {
                add(twin, twins, random);
            }
            long held = 0;
            for (Twin each : twins) {
                assertThat(each.body.bytes())
                        .as("seed %s, step %s", seed, step)
                        .isEqualTo(each.body.state() == State.KEPT ? each.bytes.toByteArray() : new byte[0]);
                held += each.body.bytes().length;
                assertThat(each.body.state() == State.TOO_LARGE).isEqualTo(each.tooLarge);
            }
            // A piece is no larger than all before it.
            assertThat(room.taken()).isBetween(held, Math.min(ROOM_BYTES, 2 * held + (long) twins.size() * 1_024));
        }
        twins.forEach(twin -> twin.body.close());
        assertThat(room.taken()).isZero();
    }

    private static void add(Twin twin, List<Twin> twins, Random random) {
        byte[] more = new byte[random.nextInt(4_000)];
        random.nextBytes(more);
        List<Twin> before = twins.stream().filter(Twin::kept).toList();
        boolean open = twin.body.state() == State.KEPT;
        ByteBuffer passing = ByteBuffer.wrap(more);
        twin.body.add(passing);
        assertThat(passing.remaining()).isEqualTo(more.length);
        twin.tooLarge |= open && twin.bytes.size() + more.length > BODY_BYTES_MAX;
        twin.bytes.writeBytes(more);
        for (Twin each : before) {
            if (each != twin && each.body.state() != State.KEPT) {
                assertThat(each.body.state()).isEqualTo(State.NO_ROOM);
                assertThat(each.arriving).as("what is whole does not give way").isTrue();
            }
        }
    }

    @Test
    void theOneThatHasBeenArrivingLongestGivesWay() {
        KeptBody.Room room = new KeptBody.Room(3 << 10);
        KeptBody whole = KeptBody.arriving(room, 1 << 20);
        KeptBody first = KeptBody.arriving(room, 1 << 20);
        KeptBody second = KeptBody.arriving(room, 1 << 20);
        KeptBody answer = new KeptBody(room, 1 << 20);
        List.of(whole, first, second).forEach(body -> body.add(ByteBuffer.allocate(1_000)));
        whole.arrived();
        answer.add(ByteBuffer.allocate(1_000));
        assertThat(first.state()).isEqualTo(State.NO_ROOM);
        answer.add(ByteBuffer.allocate(1_000));
        assertThat(second.state()).isEqualTo(State.NO_ROOM);
        answer.add(ByteBuffer.allocate(1_000));
        assertThat(answer.state()).isEqualTo(State.NO_ROOM);
        assertThat(whole.bytes()).hasSize(1_000);
    }

    @Test
    void theOneThatHasBeenArrivingLongestFindsNoRoomItself() {
        KeptBody.Room room = new KeptBody.Room(2 << 10);
        KeptBody first = KeptBody.arriving(room, 1 << 20);
        KeptBody second = KeptBody.arriving(room, 1 << 20);
        List.of(first, second).forEach(body -> body.add(ByteBuffer.allocate(1_000)));
        first.add(ByteBuffer.allocate(1_000));
        assertThat(first.state()).isEqualTo(State.NO_ROOM);
        assertThat(second.bytes()).hasSize(1_000);
    }
}
