package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.RecordCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Whoever may write to a topic may write anything to it; a job that reads it whole starts all the same. */
class BadRecordsAtStartTest {
    /** No value, nothing, junk, and a schema that nobody knows. */
    private static final byte[][] BAD = {null, {}, {1, 2, 3}, {(byte) 0xC3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0}};

    @Test
    void commandsThatCannotBeReadAreLeftOut() {
        List<ControlCommand> commands = new ArrayList<>();
        for (byte[] bad : BAD) {
            take(bad, commands);
        }
        take(RecordCodec.CONTROL.encode(control(Command.UNPIN, "unpin")), commands);
        take(RecordCodec.CONTROL.encode(control(Command.DELETE_REQUEST, "of no request")), commands);
        assertThat(commands).extracting(ControlCommand::commandId).containsExactly("unpin");
    }

    @Test
    void manifestsThatCannotBeReadAreOfNoEpoch() {
        for (byte[] bad : BAD) {
            assertThat(KafkaInstallation.epoch(new byte[0], bad)).isZero();
        }
    }

    private static void take(byte[] value, List<ControlCommand> commands) {
        KafkaControlHistory.decode(new ConsumerRecord<>("control", 0, 0, null, value), commands);
    }

    private static Control control(Command command, String id) {
        return Control.newBuilder()
                .setCommandId(id)
                .setCommand(command)
                .setIssuer("test")
                .setIssuedAt(Instant.EPOCH)
                .build();
    }
}
