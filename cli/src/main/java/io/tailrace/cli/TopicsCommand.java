package io.tailrace.cli;

import io.tailrace.client.KafkaAccess;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tailrace topics}: the topics that the loop needs. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "Lists the Kafka topics that the loop uses, or creates them.",
        subcommands = TopicsCommand.Create.class,
        synopsisSubcommandLabel = "(list | create)")
final class TopicsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command: list or create");
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Prints every topic with its key, partitions and clean-up; asks no broker.")
    int list(
            @Option(
                            names = "--topic-prefix",
                            defaultValue = "",
                            paramLabel = "PREFIX",
                            description = "Stands before every topic's name. Default: none.")
                    String prefix,
            @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.") Path json)
            throws IOException {
        JsonFile.check(json);
        Table table = new Table("topic", "key", "partitions", "clean-up", "kept");
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Topic topic : Topic.values()) {
            Map<String, String> settings = topic.settings();
            table.row(
                    topic.name(prefix),
                    topic.key(),
                    topic.partitions(),
                    settings.get("cleanup.policy"),
                    kept(settings));
            rows.add(Map.of(
                    "topic", topic.name(prefix),
                    "key", topic.key(),
                    "partitions", topic.partitions(),
                    "settings", settings));
        }
        table.print(spec.commandLine().getOut());
        JsonFile.write(json, rows);
        return ExitCodes.DONE;
    }

    private static String kept(Map<String, String> settings) {
        String millis = settings.get("retention.ms");
        if (millis == null) {
            return "newest of each key";
        }
        return millis.equals("-1") ? "for ever" : words(Duration.ofMillis(Long.parseLong(millis)));
    }

    /** In the largest unit in which it is whole. */
    private static String words(Duration time) {
        if (time.toMinutesPart() == 0 && time.toSecondsPart() == 0 && time.toMillisPart() == 0) {
            return time.toHours() + " h";
        }
        return time.toSecondsPart() == 0 && time.toMillisPart() == 0
                ? time.toMinutes() + " min"
                : time.toMillis() / 1e3 + " s";
    }

    /** {@code tailrace topics create}. */
    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description =
                    "Creates the topics that are missing and compares those that are there; exit code 1 if one differs.")
    static final class Create implements Callable<Integer> {
        @Mixin
        private BrokerOptions kafka = new BrokerOptions();

        @Bounds(min = 1)
        @Option(
                names = "--replication-factor",
                paramLabel = "N",
                description = "Replicas of each partition. Default: what the brokers are set to.")
        private Short replicas;

        @Option(
                names = "--bound-topics",
                paramLabel = "NAME",
                description =
                        "Create topics generations-NAME and outcomes-NAME, too, which the job's --bound-topics binds to scopes. Repeatable.")
        private List<String> bound = List.of();

        @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
        private Path json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            JsonFile.check(json);
            List<TopicCreation.Report> reports = reports();
            Table table = new Table("topic", "result", "difference");
            for (TopicCreation.Report report : reports) {
                table.row(report.name(), report.status().name().toLowerCase(Locale.ROOT), report.detail());
            }
            table.print(spec.commandLine().getOut());
            JsonFile.write(json, reports);
            boolean asTheyShouldBe =
                    reports.stream().noneMatch(report -> report.status() == TopicCreation.Report.Status.DIFFERS);
            return asTheyShouldBe ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }

        private List<TopicCreation.Report> reports() throws IOException {
            short replication = replicas == null ? TopicCreation.DEFAULT_REPLICATION : replicas;
            new KafkaAccess(kafka.bootstrap(), kafka.topicPrefix(), kafka.clientSettings()).requireReachable();
            try (Admin admin = Admin.create(new HashMap<>(kafka.connection()))) {
                return new TopicCreation(admin).run(kafka.topicPrefix(), replication, bound);
            }
        }
    }
}
