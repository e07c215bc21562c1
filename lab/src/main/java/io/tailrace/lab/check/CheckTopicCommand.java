package io.tailrace.lab.check;

import io.tailrace.lab.convert.CheckCommand;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tailrace check}: what the job's admission would say of recorded requests, or of the records of a topic. */
@Command(
        description =
                "Holds requests, or the records of a topic, against the rules by which the job admits generations. Nothing is sent.",
        footer = {
            "  tailrace check --input ids.jsonl.gz --vocabulary 128256",
            "  tailrace check --bootstrap localhost:9092 --records 1000 --vocabulary 128256",
            "",
            "Exit code 0: all would be admitted; 1: one breaks a rule; 2: bad input or usage."
        })
public final class CheckTopicCommand extends CheckCommand {
    @Mixin
    private TopicInput topic = new TopicInput();

    @Option(names = "--json", paramLabel = "FILE", description = "With --bootstrap: writes the result as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec topicSpec;

    @Override
    public Integer call() throws IOException {
        if (topic.isGiven() == hasFiles()) {
            throw new ParameterException(topicSpec.commandLine(), "Give either --input FILE or --bootstrap HOST:PORT");
        }
        if (hasFiles() && (topic.isSpokenOf() || json != null)) {
            throw new ParameterException(topicSpec.commandLine(), "--topic, --records and --json are for --bootstrap");
        }
        return hasFiles() ? super.call() : checkTopic();
    }

    private int checkTopic() throws IOException {
        JsonFile.check(json);
        Refusals refusals = topic.check(rules());
        if (refusals.refused() > 0) {
            refusals.table().print(out());
        }
        out().println("%s: %,d records checked, %,d break a rule"
                .formatted(topic.name(), refusals.checked(), refusals.refused()));
        JsonFile.write(json, refusals.json(topic.name()));
        return refusals.refused() == 0 ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }
}
