package io.tailrace.cli;

import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.Require;
import io.tailrace.cli.terminal.Table;
import io.tailrace.jobs.options.Bounds;
import io.tailrace.jobs.options.BrokerOptions;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.jobs.topics.TopicReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace topics create}. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description =
                "Creates the topics that are missing and compares those that are there; exit code 1 if one differs.")
final class TopicsCreateCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions kafka = new BrokerOptions();

    @Bounds(min = 1)
    @Option(
            names = "--replication-factor",
            paramLabel = "N",
            description = "Replicas of each partition. Default: what the brokers are set to.")
    private Short replicas;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the result as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        List<TopicReport> reports = reports();
        Table table = new Table("topic", "result", "difference");
        for (TopicReport report : reports) {
            table.row(report.name(), report.status().name().toLowerCase(Locale.ROOT), report.detail());
        }
        table.print(spec.commandLine().getOut());
        JsonFile.write(json, reports);
        boolean asTheyShouldBe = reports.stream().noneMatch(report -> report.status() == TopicReport.Status.DIFFERS);
        return asTheyShouldBe ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private List<TopicReport> reports() throws IOException {
        short replication = replicas == null ? TopicCreation.DEFAULT_REPLICATION : replicas;
        Require.reachable(kafka);
        try (Admin admin = Admin.create(new HashMap<>(kafka.connection()))) {
            return new TopicCreation(admin).run(kafka.topicPrefix(), replication);
        }
    }
}
