package io.tailrace.operators.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.operators.FuzzedRecords;
import io.tailrace.operators.Samples;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.testkit.AllocationLimit;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Topic control: operators' commands. */
final class ControlCommandFuzzTest {
    private static final FuzzedRecords COMMANDS = FuzzedRecords.of(
            RecordCodec.CONTROL,
            Arrays.stream(Command.values()).map(ControlCommandFuzzTest::control).toList());

    private static Control control(Command command) {
        return new Control(
                "c",
                command,
                "toy",
                "1",
                "acme",
                7L,
                "request-1",
                "ops",
                Instant.ofEpochMilli(9),
                LanePolicy.defaults().toRecord(List.of()),
                true);
    }

    static Stream<byte[]> seeds() {
        return COMMANDS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void aCommandIsTakenOrRefused(byte[] body) throws Exception {
        ControlCommand command;
        try {
            command = AllocationLimit.check(body.length, () -> ControlCommand.decode(COMMANDS.raw(body)));
        } catch (UndecodableRecordException | IllegalArgumentException refused) {
            return;
        }
        assertThat(command.command()).isNotEqualTo(Command.UNKNOWN);
        command.concerns(LaneId.parse(Samples.LANE));
        if (command.isDelete()) {
            Tombstone tombstone = Tombstone.of(command, 1, 2);
            assertThat(new Tombstones(List.of(tombstone))).isNotNull();
        }
        if (command.policy() != null) {
            assertThat(command.policy().effectiveWeights()).isNotEmpty();
            assertThat(command.policy().limits()).isNotNull();
        }
    }
}
