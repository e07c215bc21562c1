package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.KeyOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace delete}: forgets what a scope, or one request of it, has answered so far. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Forgets the generations of a scope, or of one request in it, that were completed before now: in every announced version,"
                    + " every retained one, and after the restore of any older savepoint.",
            "Waits until the job has said so for every lane of the scope; exit code 1 if it has not in time. The command stands all the"
                    + " same: the job carries it out when it runs."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace delete --bootstrap localhost:9092 --scope acme --request req-17")
public final class DeleteCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions kafka = new BrokerOptions();

    @Mixin
    private KeyOptions.Trusted trusted = new KeyOptions.Trusted();

    @Option(names = "--scope", required = true, paramLabel = "SCOPE", description = "The scope.")
    private String scope;

    @Option(
            names = "--request",
            paramLabel = "ID",
            description = "Only this request's generations. Default: all of the scope.")
    private String request;

    @Option(names = "--model", paramLabel = "MODEL", description = "Only this model's. Default: every model's.")
    private String model;

    @Option(
            names = "--revision",
            paramLabel = "REVISION",
            description = "Only this revision's. Default: every revision's.")
    private String revision;

    @Mixin
    private Commanding commanding;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (scope.isBlank() || (request != null && request.isBlank())) {
            throw new BadInputException("--scope and --request must not be blank");
        }
        Duration patience = commanding.patience();
        Optional<RecordSigner> signer = commanding.signer(trusted);
        try (LoopTopics topics = new LoopTopics(kafka, GivenKeys.trusted(trusted))) {
            Set<LaneId> waiting = lanes(topics);
            topics.watch(Topic.EVENTS);
            Control command = commanding.delete(model, revision, scope, request);
            topics.send(command, signer);
            PrintWriter out = spec.commandLine().getOut();
            out.println("command %s: %s for %s".formatted(command.getCommandId(), command.getCommand(), what(waiting)));
            out.flush();
            return await(topics, command, waiting, patience, out) ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private String what(Set<LaneId> lanes) {
        return lanes.isEmpty()
                ? "scope %s: no lane of it has an announced version".formatted(scope)
                : "%d lanes: %s".formatted(lanes.size(), lanes);
    }

    /** The lanes concerned that have announced versions. */
    private Set<LaneId> lanes(LoopTopics topics) {
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
            if (lane.scope().equals(scope)
                    && (model == null || model.equals(lane.model()))
                    && (revision == null || revision.equals(lane.revision()))) {
                lanes.add(lane);
            }
        }
        return lanes;
    }

    private boolean await(LoopTopics topics, Control command, Set<LaneId> waiting, Duration patience, PrintWriter out) {
        if (patience.isZero()) {
            return true;
        }
        long began = System.nanoTime();
        while (!waiting.isEmpty() && System.nanoTime() - began < patience.toNanos()) {
            topics.follow(Duration.ofMillis(200), record -> hear(record, command, waiting));
        }
        waiting.forEach(lane -> out.println(
                "lane %s: not yet; the job carries it out when it runs, and says so on topic events".formatted(lane)));
        if (waiting.isEmpty()) {
            out.println("done after %,d ms".formatted((System.nanoTime() - began) / 1_000_000));
        }
        out.flush();
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
