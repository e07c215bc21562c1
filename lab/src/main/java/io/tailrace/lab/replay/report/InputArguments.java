package io.tailrace.lab.replay.report;

import io.tailrace.lab.logs.LogArguments;
import io.tailrace.lab.logs.Logs;
import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What to replay. */
@Command(optionListHeading = "Requests")
final class InputArguments {
    @Option(
            names = "--input",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "Logs, or recorded requests as token ids; several or repeated. Each file is a stream of its own that"
                            + " starts with an empty index.")
    private List<Path> inputs;

    @Mixin
    private LogArguments text = new LogArguments();

    @Bounds(min = 2)
    @Option(names = "--requests", paramLabel = "N", description = "The first N requests of each stream. Default: all.")
    private Long requests;

    @Option(
            names = "--order",
            hidden = true,
            defaultValue = "file",
            paramLabel = "file|shuffled|FILE",
            description = "file: as they stand; shuffled: by --seed; else a file of JSON lines with workload, id and"
                    + " optionally tenant, which makes one stream of the inputs. Default: ${DEFAULT-VALUE}.")
    private String order;

    @Option(
            names = "--one-lane",
            hidden = true,
            description = "Requests of all scopes draft from each other, as if all had opted into one shared scope."
                    + " Default: each scope has a lane of its own.")
    private boolean oneLane;

    @Option(
            names = "--warm",
            hidden = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Recorded requests whose responses are in the index from the start. Default: none.")
    private List<Path> warm = List.of();

    @Bounds(min = 0)
    @Option(
            names = "--prompt-tokens",
            hidden = true,
            defaultValue = "4000",
            paramLabel = "N",
            description = "Longer full prompts keep their last N tokens. Default: ${DEFAULT-VALUE}.")
    private int promptTokens;

    @Mixin
    private RecordedInputOptions.Vocabulary vocabulary = new RecordedInputOptions.Vocabulary();

    @Option(
            names = "--skip-bad-lines",
            description = "Report lines of the inputs that cannot be replayed, and go on. Default: stop at the first.")
    private boolean skipBadLines;

    @Option(
            names = "--seed",
            hidden = true,
            defaultValue = "42",
            paramLabel = "N",
            description = "What --order shuffled shuffles by. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private final List<String> readings = new ArrayList<>();
    private Set<String> formats = Set.of();

    /** Reads the streams; each has at least two requests. */
    List<ReplayStream> streams(PrintWriter out, PrintWriter err) {
        Logs logs = text.logs();
        Consumer<String> told = reading -> {
            readings.add(reading);
            out.println(reading);
        };
        StreamReader reader = reader(logs, told, err);
        List<ReplayStream> streams = new ArrayList<>();
        if (isFilesOrder()) {
            for (Path file : inputs) {
                ReplayStream stream = reader.file(file);
                if (stream.cases().isEmpty() && inputs.size() > 1) {
                    continue; // the requests of a batch, whose answers are in the next file
                }
                streams.add(order.equals("file") ? stream : stream.shuffled(seed));
            }
        } else {
            streams.add(reader.ordered(Path.of(order), inputs));
        }
        if (requests == null) {
            logs.unanswered().ifPresent(told);
        }
        if (streams.isEmpty()) {
            throw RecordedInput.nothingIn(inputs);
        }
        streams.forEach(this::requireRequests);
        formats = logs.formats();
        return oneLane ? streams.stream().map(ReplayStream::inOneScope).toList() : streams;
    }

    /** Whether requests are replayed file by file. */
    private boolean isFilesOrder() {
        return order.equals("file") || order.equals("shuffled");
    }

    /** What the logs of text were written by, as --format calls it; once the streams are read. */
    Set<String> formats() {
        return formats;
    }

    /** What was told of each log of text: its format, how many requests it has, what was passed over and why; once the streams are read. */
    List<String> readings() {
        return List.copyOf(readings);
    }

    /** Answers that are in the index from the start. */
    List<RememberedAnswer> warmAnswers(int promptTail) {
        StreamReader reader = new StreamReader(
                RecordedInputOptions.of(vocabulary.bound()).withPromptTokensMax(promptTokens), Long.MAX_VALUE);
        return warm.stream()
                .flatMap(file -> reader.file(file).cases().stream())
                .map(request -> request.answer(promptTail))
                .toList();
    }

    private StreamReader reader(Logs logs, Consumer<String> told, PrintWriter err) {
        RecordedInputOptions options =
                RecordedInputOptions.of(vocabulary.bound()).withPromptTokensMax(promptTokens);
        Consumer<RecordedInputException> badLines = skipBadLines
                ? RecordedInputException.reportedOn(err)
                : badLine -> {
                    throw badLine;
                };
        return new StreamReader(
                file -> logs.open(file, options, badLines, told), requests == null ? Long.MAX_VALUE : requests);
    }

    /** Refuses to write the figures or the report over what is read. */
    void check() {
        List<Path> read = new ArrayList<>(inputs);
        read.addAll(warm);
        if (!isFilesOrder()) {
            read.add(Path.of(order));
        }
        for (String option : List.of("--json", "--html")) {
            RecordedInput.checkKept(option, command.findOption(option).getValue(), read);
        }
    }

    /** A request with one token needs no draft, and the first has nothing before it. */
    private void requireRequests(ReplayStream stream) {
        if (stream.cases().isEmpty()) {
            throw RecordedInput.nothingIn(inputs);
        }
        if (stream.cases().size() < 2) {
            throw new BadInputException(
                    "%s (%s): a replay has at least 2 requests with answers of 2 or more tokens, got 1; give more of the log"
                            .formatted(stream.name(), shown(inputs)));
        }
    }

    private static String shown(List<Path> files) {
        return files.stream().map(Path::toString).collect(Collectors.joining(", "));
    }
}
