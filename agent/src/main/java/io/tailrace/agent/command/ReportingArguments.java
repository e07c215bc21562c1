package io.tailrace.agent.command;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.WorkFolder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** As who a process reports to Kafka, and how. */
public final class ReportingArguments {
    private static final Duration REPORT_TIME_MAX = Duration.ofSeconds(10);

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "Its name, unique in the fleet, and the producer of its generations; the producer of what an agent's"
                            + " engine says is the engine. Default: the host's name.")
    private String name;

    @Mixin
    private BrokerOptions.Clients clients = new BrokerOptions.Clients();

    @Option(
            names = "--bound-topics",
            hidden = true,
            paramLabel = "NAME",
            description =
                    "Report to topics generations-NAME and outcomes-NAME, which the job's --bound-topics binds to scopes. Default: generations and outcomes.")
    private String boundTopics;

    @Option(
            names = "--spool",
            hidden = true,
            paramLabel = "FOLDER",
            description =
                    "Reports wait here until Kafka has them; one for each worker. Default: ~/.tailrace/spool/NAME.")
    private Path spool;

    @Option(
            names = "--spool-bytes",
            hidden = true,
            defaultValue = "268435456",
            paramLabel = "BYTES",
            description =
                    "Bound of that folder, with an agent of each model's; the oldest reports go first. Default: ${DEFAULT-VALUE}.")
    private long spoolBytes;

    @Option(names = "--no-prompts", hidden = true, description = "Report answers without their prompts. Default: off.")
    private boolean noPrompts;

    /** What can be said of them before anything is begun. */
    public void check() {
        try {
            ClientOptions.checkName("--name", name());
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
        try {
            new ReportTopics("", Optional.ofNullable(boundTopics));
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--bound-topics: " + e.getMessage(), e);
        }
    }

    /** The name that was given, or the host's. */
    public String name() {
        try {
            return name == null ? InetAddress.getLocalHost().getHostName() : name;
        } catch (UnknownHostException e) {
            throw new BadInputException("--name is missing, and this host does not know its own name", e);
        }
    }

    /** Whether generations carry their prompts. */
    public boolean prompts() {
        return !noPrompts;
    }

    /** How to be a client of these brokers. */
    public KafkaAccess kafka(String bootstrap) {
        return new KafkaAccess(bootstrap, clients.topicPrefix(), clients.settings());
    }

    /**
     * How to report.
     *
     * @param part names a folder within the spool, where one process reports of several models; empty: the spool itself
     */
    public ReportingOptions reporting(KafkaAccess kafka, String part) {
        Path folder = (spool == null ? WorkFolder.ofUser().resolve("spool").resolve(name()) : spool).resolve(part);
        try {
            return new ReportingOptions(
                    kafka,
                    Optional.ofNullable(boundTopics),
                    Optional.of(folder),
                    spoolBytes,
                    prompts(),
                    REPORT_TIME_MAX);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--spool-bytes: " + e.getMessage(), e);
        }
    }
}
