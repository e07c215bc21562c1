package io.tailrace.operators.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.signing.TrustedKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.streaming.api.operators.StreamFlatMap;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // a harness may be interrupted while it closes; then the test fails, as it should
final class ControlCommandTest {
    private static Control control(Command command, String scope, Long version, String requestId) {
        return new Control(
                "c1", command, "toy", null, scope, version, requestId, "me", Instant.ofEpochMilli(5), null, false);
    }

    @Test
    void aCommandConcernsTheLanesItNamesAndWhatItLeavesOpen() {
        ControlCommand command = ControlCommand.of(control(Command.UNPIN, null, null, null));
        assertThat(command.concerns(new LaneId("toy", "1", "acme"))).isTrue();
        assertThat(command.concerns(new LaneId("toy", "2", "zenith"))).isTrue();
        assertThat(command.concerns(new LaneId("other", "1", "acme"))).isFalse();
    }

    @Test
    void whatACommandNeedsMustBeThere() {
        assertThatThrownBy(() -> ControlCommand.of(control(Command.ROLLBACK, null, null, null)))
                .hasMessage("command c1 (ROLLBACK) needs a version");
        assertThatThrownBy(() -> ControlCommand.of(control(Command.DELETE_SCOPE, null, null, null)))
                .hasMessage("command c1 (DELETE_SCOPE) needs a scope");
        assertThatThrownBy(() -> ControlCommand.of(control(Command.DELETE_REQUEST, "acme", null, null)))
                .hasMessage("command c1 (DELETE_REQUEST) needs a scope and a request id");
        assertThatThrownBy(() -> ControlCommand.of(control(Command.UNKNOWN, null, null, null)))
                .hasMessageContaining("upgrade the job before the sender");
    }

    @Test
    void whatIsNoCommandIsLeftOut() throws Exception {
        List<ControlCommand> decoded = new ArrayList<>();
        ControlCommand.Decoding decoding = ControlCommand.Decoding.ofOperators(TrustedKeys.none());
        byte[] sound = RecordCodec.CONTROL.encode(control(Command.UNPIN, null, null, null));
        byte[] incomplete = RecordCodec.CONTROL.encode(control(Command.PIN, null, null, null));
        try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
            harness.open();
            for (byte[] bytes : new byte[][] {{9}, null, incomplete, sound}) {
                harness.processElement(new RawRecord("control", 0, 0, 0, bytes), 0);
            }
            decoded.addAll(harness.extractOutputValues());
        }
        assertThat(decoded)
                .singleElement()
                .satisfies(command -> assertThat(command.command()).isEqualTo(Command.UNPIN));
    }

    /** A mirror stamps it later, which changes nothing of one whose clock was right. */
    @Test
    void aCommandIsIssuedWhenItSaysAndNoLaterThanTheBrokersTookIt() throws Exception {
        long now = 1_700_000_000_000L;
        for (long ahead : new long[] {
            Duration.ofDays(1).toMillis(), Duration.ofDays(3_000_000).toMillis()
        }) {
            ControlCommand delete = decoded(now + ahead, now);
            Tombstones tombstones = new Tombstones(List.of(Tombstone.of(delete, 1, now)));
            assertThat(tombstones.covers(1, 2, now)).isTrue();
            assertThat(tombstones.covers(1, 2, now + 1)).as("is still to come").isFalse();
        }
        assertThat(decoded(now, now + 60_000).issuedAt()).isEqualTo(now);
        assertThat(decoded(now, -1).issuedAt()).as("without a stamp").isEqualTo(now);
    }

    private static ControlCommand decoded(long issuedAt, long stampMillis) throws Exception {
        Control control = control(Command.DELETE_SCOPE, "acme", null, null);
        control.setIssuedAt(Instant.ofEpochMilli(issuedAt));
        return ControlCommand.decode(new RawRecord("control", 0, 0, stampMillis, RecordCodec.CONTROL.encode(control)));
    }

    @Test
    void tombstonesTogetherForbidWhatAnyOfThemForbids() {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            List<ControlCommand> deletes = new ArrayList<>();
            List<Tombstone> tombstones = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                ControlCommand delete = random.nextInt(4) == 0
                        ? Samples.deleteScope("c" + i, "acme", 100_000L * random.nextInt(20))
                        : Samples.deleteRequest(
                                "c" + i, "acme", "r" + random.nextInt(4), 100_000L * random.nextInt(20));
                deletes.add(delete);
                tombstones.add(Tombstone.of(delete, tombstones.size() + 1, 0));
            }
            String request = "r" + random.nextInt(4);
            long completedAt = 100_000L * random.nextInt(20);
            RequestHash hash = RequestHash.of(request);
            boolean forbidden = deletes.stream()
                    .anyMatch(delete -> delete.command() == Command.DELETE_SCOPE
                            ? completedAt <= delete.issuedAt()
                            : completedAt <= delete.issuedAt() + 300_000
                                    && delete.requestHigh() == hash.high()
                                    && delete.requestLow() == hash.low());
            assertThat(new Tombstones(tombstones).covers(hash.high(), hash.low(), completedAt))
                    .as("seed %d", seed)
                    .isEqualTo(forbidden);
        }
    }
}
