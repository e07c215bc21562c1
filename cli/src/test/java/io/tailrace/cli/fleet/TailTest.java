package io.tailrace.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TailTest {
    private static final LaneId LANE = new LaneId("m", "1", "s");

    private final TopicsInMemory topics = new TopicsInMemory();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aTopicWithoutRecordsIsSaidToHaveNoneBesideWhatIsPrinted() {
        print();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().strip()).isEqualTo("tailrace: no rejections");
    }

    @Test
    void soIsOneWithoutRecordsOfTheLane() {
        topics.put(Topic.REJECTIONS, "k", RecordCodec.REJECTION.encode(FleetRecords.rejection(LANE, "r", 0)));
        print("--lane", "m@1/other");
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().strip()).isEqualTo("tailrace: no rejections of lane m@1/other");
    }

    private void print(String... lane) {
        List<String> arguments = new ArrayList<>(List.of("--bootstrap", "127.0.0.1:1"));
        arguments.addAll(List.of(lane));
        Tail tail = new Tail();
        CommandLine command =
                new CommandLine(tail).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        command.parseArgs(arguments.toArray(String[]::new));
        tail.print(
                topics.open(),
                Topic.REJECTIONS,
                value -> HeardRejection.of(RecordCodec.REJECTION.decode(value)),
                rejection -> true,
                command);
    }
}
