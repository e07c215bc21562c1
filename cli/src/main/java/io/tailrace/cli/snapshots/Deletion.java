package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.RecordSigner;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A delete, from the command until the job has said of every lane concerned that it is done. */
final class Deletion {
    private final LoopTopics topics;
    private final Deleted what;
    private final Supplier<Control> issued;
    private final Consumer<String> say;

    /** @param issued makes the command, which is issued then: a delete that reaches the job before it must not be the later one */
    Deletion(LoopTopics topics, Deleted what, Supplier<Control> issued, Consumer<String> say) {
        this.topics = topics;
        this.what = what;
        this.issued = issued;
        this.say = say;
    }

    /** False: it was not done in time. */
    boolean give(Optional<RecordSigner> signer, Duration patience) {
        Set<LaneId> waiting = lanes();
        topics.watch(Topic.EVENTS);
        Control command = issued.get();
        topics.send(command, signer);
        say.accept("command %s: %s for %s".formatted(command.getCommandId(), command.getCommand(), reached(waiting)));
        return patience.isZero() || await(command, waiting, patience);
    }

    private String reached(Set<LaneId> lanes) {
        return lanes.isEmpty()
                ? "scope %s: no lane of it has an announced version".formatted(what.scope())
                : "%d lanes: %s".formatted(lanes.size(), lanes);
    }

    /** The lanes concerned that have announced versions. */
    private Set<LaneId> lanes() {
        Set<String> keys = new TreeSet<>();
        topics.read(
                record -> {
                    String key = LoopTopics.key(record);
                    LaneId.parse(key.substring(0, LoopTopics.hash(key)));
                    boolean unused = record.value() == null ? keys.remove(key) : keys.add(key);
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
