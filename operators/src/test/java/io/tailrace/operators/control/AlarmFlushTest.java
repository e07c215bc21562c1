package io.tailrace.operators.control;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.junit.jupiter.api.Test;

final class AlarmFlushTest {
    @Test
    void anAlarmFlushesItsLaneAndNothingElseDoes() {
        List<ControlCommand> commands = new ArrayList<>();
        for (LaneSignal.Kind kind : LaneSignal.Kind.values()) {
            new AlarmFlush().flatMap(new LaneSignal(kind, LANE, 0, 0, 0, null), new ListCollector<>(commands));
            new AlarmFlush().flatMap(new LaneSignal(kind, LANE, 0, 7, 0, null), new ListCollector<>(commands));
        }
        assertThat(commands).singleElement().satisfies(flush -> {
            assertThat(flush.command()).isEqualTo(Command.FLUSH);
            assertThat(flush.concerns(LaneId.parse(LANE))).isTrue();
            assertThat(flush.scope()).isEqualTo("acme");
        });
    }
}
