package io.tailrace.cli.fleet;

import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.KafkaOptions;
import io.tailrace.cli.terminal.Table;
import io.tailrace.jobs.topics.TopicCreation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace topics create}. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = "Creates the topics that are missing; leaves those that are there as they are.")
public final class TopicsCreateCommand implements Callable<Integer> {
    @Mixin
    private KafkaOptions kafka;

    @Option(
            names = "--replicas",
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
        Map<String, String> settings = new HashMap<>(kafka.clientSettings());
        settings.put("bootstrap.servers", kafka.bootstrap());
        short replication = replicas == null ? TopicCreation.REPLICATION_OF_BROKER : replicas;
        Table table = new Table("topic", "");
        List<Map<String, Object>> rows = new ArrayList<>();
        for (TopicCreation.Result result : TopicCreation.create(settings, kafka.topicPrefix(), replication)) {
            table.row(result.name(), result.created() ? "created" : "was there");
            rows.add(Map.of("topic", result.name(), "created", result.created()));
        }
        table.print(spec.commandLine().getOut());
        JsonFile.write(json, rows);
        return ExitCodes.DONE;
    }
}
