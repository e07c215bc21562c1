package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Control;
import io.tailrace.schemas.ControlRecords;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A delete, from the command until the job has said of every lane concerned that it is done. */
final class Deletion {
    /** So long a command may take to the brokers; and so much later than it was issued it may be given again, which forgets no less. */
    private static final long CLOCK_BEHIND_MILLIS_MAX = 1_000;

    private final LoopTopics topics;
    private final Deleted what;
    private final Function<Instant, Control> issued;
    private final ToLongFunction<Control> sent;
    private final Consumer<String> say;

    /**
     * @param issued makes the command, which is issued then: a delete that reaches the job before it must not be the later one
     * @param sent writes it, and says when the brokers took it, by their clock, in epoch milliseconds
     */
    Deletion(
            LoopTopics topics,
            Deleted what,
            Function<Instant, Control> issued,
            ToLongFunction<Control> sent,
            Consumer<String> say) {
        this.topics = topics;
        this.what = what;
        this.issued = issued;
        this.sent = sent;
        this.say = say;
    }

    /** False: it was not done in time. */
    boolean give(Duration patience) {
        Set<LaneId> waiting = lanes();
        topics.watch(Topic.EVENTS);
        Control command = given(Instant.now().truncatedTo(ChronoUnit.MILLIS));
        say.accept("command %s: %s for %s".formatted(command.getCommandId(), command.getCommand(), reached(waiting)));
        return patience.isZero() || await(command, waiting, patience);
    }

    /**
     * A command is as old as it says, whatever the brokers' stamp, which becomes another where the topic is mirrored: of a clock that is behind theirs it
     * would leave what was completed since. It is given once more then, by their clock. Of one that is ahead it counts as issued when they took it.
     */
    private Control given(Instant at) {
        Control command = issued.apply(at);
        long taken = sent.applyAsLong(command);
        long behindMillis = taken - at.toEpochMilli();
        if (behindMillis <= CLOCK_BEHIND_MILLIS_MAX) {
            return ControlRecords.taken(command, taken);
        }
        say.accept(
                "this clock is %,d s behind the brokers': command %s leaves what was completed since, and is given again by theirs"
                        .formatted(behindMillis / 1_000, command.getCommandId()));
        Control again = issued.apply(Instant.ofEpochMilli(taken));
        long unused = sent.applyAsLong(again);
        return again;
    }

    private String reached(Set<LaneId> lanes) {
        return lanes.isEmpty()
                ? "scope %s: no lane of it has an announced version".formatted(what.scope())
                : "%d lanes: %s".formatted(lanes.size(), lanes);
    }

    /** The lanes concerned that have announced versions; what is no announcement names none, since no job would ever answer for it. */
    private Set<LaneId> lanes() {
        Set<String> keys = new TreeSet<>();
        topics.read(
                record -> {
                    SnapshotRecord said = SnapshotRecord.of(record);
                    String key = LoopTopics.key(record);
                    boolean unused = said.manifest() == null ? keys.remove(key) : keys.add(key);
                },
                Topic.SNAPSHOTS);
        Set<LaneId> lanes = new TreeSet<>(Comparator.comparing(LaneId::toString));
        for (String key : keys) {
            LaneId lane = LaneId.parse(key.substring(0, key.lastIndexOf('#')));
            if (what.concerns(lane)) {
                lanes.add(lane);
            }
        }
        return lanes;
    }

    private boolean await(Control command, Set<LaneId> waiting, Duration patience) {
        long began = System.nanoTime();
        while (!waiting.isEmpty() && System.nanoTime() - began < patience.toNanos()) {
            topics.follow(Duration.ofMillis(200), record -> hear(record, command, waiting));
        }
        waiting.forEach(lane -> say.accept(
                "lane %s: not yet; the job carries it out when it runs, and says so on topic events".formatted(lane)));
        if (waiting.isEmpty()) {
            say.accept("done after %,d ms".formatted((System.nanoTime() - began) / 1_000_000));
        }
        return waiting.isEmpty();
    }

    private static void hear(ConsumerRecord<byte[], byte[]> record, Control command, Set<LaneId> waiting)
            throws UndecodableRecordException {
        Event event = RecordCodec.EVENT.decode(record.value());
        boolean covers = event.getKind() == EventKind.DELETED
                && event.getNumbers().getOrDefault("issuedTo", 0L)
                        >= command.getIssuedAt().toEpochMilli();
        if (covers && event.getLane() != null) {
            waiting.remove(LaneId.of(event.getLane()));
        }
    }
}
