package io.tailrace.cli.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.terminal.Interruption;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the records of a topic, each in a line. */
final class Tail {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Option(
            names = "--lane",
            paramLabel = "MODEL@REVISION/SCOPE",
            description = "Only what is of this lane. Default: all.")
    private String lane;

    @Option(names = "--follow", description = "Go on with what comes, until Ctrl-C.")
    private boolean follow;

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    /** Makes of a record what is printed. */
    @FunctionalInterface
    interface Decoding<T extends Heard> {
        T decode(byte[] value) throws UndecodableRecordException;
    }

    /** Prints what is there and, where asked for, what comes. Of a topic without any it says so where errors are said. */
    <T extends Heard> void print(Topic topic, Decoding<T> decoding, Predicate<T> wanted, CommandLine command) {
        try (LoopTopics topics = fleet.topics().get()) {
            print(topics, topic, decoding, wanted, command);
        }
    }

    <T extends Heard> void print(
            LoopTopics topics, Topic topic, Decoding<T> decoding, Predicate<T> wanted, CommandLine command) {
        PrintWriter out = command.getOut();
        AtomicLong printed = new AtomicLong();
        LoopTopics.Taking taking = record -> {
            T heard = decoding.decode(record.value());
            if (wanted.test(heard) && (lane == null || heard.lane().equals(lane))) {
                out.println(json ? text(heard) : heard.line());
                printed.incrementAndGet();
            }
        };
        topics.begin(Map.of(topic, 0L));
        topics.readToEnds(taking, Long.MAX_VALUE);
        out.flush();
        if (printed.get() == 0) {
            command.getErr()
                    .println("tailrace: no %s%s".formatted(topic.name(""), lane == null ? "" : " of lane " + lane));
        }
        if (follow) {
            try (Interruption interruption = Interruption.install()) {
                goOn(topics, taking, out, interruption::happened);
            }
        }
    }

    /** Until it is interrupted, or nobody reads what is printed. */
    private static void goOn(LoopTopics topics, LoopTopics.Taking taking, PrintWriter out, BooleanSupplier ended) {
        while (!ended.getAsBoolean() && !out.checkError()) {
            topics.follow(Duration.ofMillis(200), taking);
        }
    }

    private static String text(Heard heard) {
        try {
            return JSON.writeValueAsString(heard.json());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of texts and numbers are always JSON", e);
        }
    }
}
