package io.tailrace.cli;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.KafkaOptions;
import io.tailrace.cli.terminal.Require;
import io.tailrace.cli.terminal.Table;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.jobs.topics.TopicReport;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
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
            @Option(names = "--json", paramLabel = "FILE", description = "Writes the list as JSON, too.") Path json)
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

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description =
                    "Creates the topics that are missing and compares those that are there; exit code 1 if one differs.",
            footerHeading = "%nExample:%n",
            footer = "  tailrace topics create --bootstrap localhost:9092 --replication-factor 3")
    int create(
            @Mixin KafkaOptions kafka,
            @Option(
                            names = "--replication-factor",
                            defaultValue = "-1",
                            paramLabel = "N",
                            description = "Replicas of each partition. Default: what the brokers are set to.")
                    short replicas,
            @Option(names = "--json", paramLabel = "FILE", description = "Writes the result as JSON, too.") Path json)
            throws IOException {
        JsonFile.check(json);
        if (replicas != TopicCreation.DEFAULT_REPLICATION) {
            Require.atLeast("--replication-factor", 1, replicas);
        }
        List<TopicReport> reports;
        try (Admin admin = Admin.create(new HashMap<>(kafka.connection()))) {
            reports = new TopicCreation(admin).run(kafka.topicPrefix(), replicas);
        } catch (KafkaException e) {
            throw new BadInputException(
                    "these client settings do not work: " + innermost(e).getMessage(), e);
        }
        Table table = new Table("topic", "result", "difference");
        for (TopicReport report : reports) {
            table.row(report.name(), report.status().name().toLowerCase(Locale.ROOT), report.detail());
        }
        table.print(spec.commandLine().getOut());
        JsonFile.write(json, reports);
        boolean asTheyShouldBe = reports.stream().noneMatch(report -> report.status() == TopicReport.Status.DIFFERS);
        return asTheyShouldBe ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private static Throwable innermost(Throwable failure) {
        return failure.getCause() == null ? failure : innermost(failure.getCause());
    }

    private static String kept(Map<String, String> settings) {
        String millis = settings.get("retention.ms");
        if (millis == null) {
            return "newest of each key";
        }
        return millis.equals("-1")
                ? "for ever"
                : Duration.ofMillis(Long.parseLong(millis)).toHours() + " h";
    }
}
