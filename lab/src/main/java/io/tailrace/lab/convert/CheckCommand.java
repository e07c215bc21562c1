package io.tailrace.lab.convert;

import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.recorded.RecordedRequests;
import io.tailrace.operators.admission.AdmissionCheck;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.TokenIds;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tailrace check}: what the job's admission would say of recorded requests, before anything is sent. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Holds requests against the rules by which the job admits generations. Nothing is sent.",
        footerHeading = "%nExample:%n",
        footer = {
            "  tailrace check --input ids.jsonl.gz --vocabulary 128256",
            "",
            "Exit code 0: all would be admitted; 1: one breaks a rule; 2: bad input or usage."
        })
public class CheckCommand implements Callable<Integer> {
    private static final int SHOWN_MAX = 20;
    private static final String MODEL = "model";
    private static final String REVISION = "revision";

    @Option(names = "--input", arity = "1..*", paramLabel = "FILE", description = LogInputs.FILES)
    private List<Path> files;

    @Mixin
    private LogInputs inputs = new LogInputs();

    @Option(
            names = "--skip-bad-lines",
            description = "No effect: check reports each line that cannot be read, counts it, and goes on.")
    void skipBadLines(boolean given) {
        // What check does anyway; messages advise it.
    }

    @Bounds(min = 1)
    @Option(
            names = "--vocabulary",
            paramLabel = "N",
            description = "Token ids must be below it. Default: the tokenizer's, if one is given.")
    private Integer vocabulary;

    @Spec
    private CommandSpec spec;

    private long checked;
    private long broken;

    @Override
    public Integer call() throws IOException {
        if (!hasFiles()) {
            throw new ParameterException(spec.commandLine(), "Missing required option: '--input=FILE'");
        }
        PrintWriter out = out();
        AdmissionCheck rules = rules();
        try (RecordedRequests requests = inputs.open(files, RecordedInputOptions.UNBOUNDED, out, this::tell)) {
            while (requests.hasNext()) {
                check(requests.next(), rules);
            }
        }
        if (checked + broken == 0) {
            throw RecordedInput.nothingIn(files);
        }
        out.println("%,d requests checked, %,d break a rule".formatted(checked + broken, broken));
        return broken == 0 ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    /** True if logs or requests are named. */
    protected final boolean hasFiles() {
        return files != null;
    }

    /** What is checked by. */
    protected final AdmissionCheck rules() {
        return new AdmissionCheck(
                vocabulary == null ? inputs.vocabulary().orElse(RecordedInputOptions.UNBOUNDED) : vocabulary);
    }

    /** Where the command prints. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void check(RecordedRequest request, AdmissionCheck rules) {
        Instant now = Instant.now();
        Generation generation = Generation.newBuilder()
                .setRequestId(request.id())
                .setLane(new LaneId(MODEL, REVISION, request.scope()).toLane())
                .setProducer("check")
                .setPrompt(TokenIds.toList(request.prompt()))
                .setResponse(TokenIds.toList(request.response()))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build();
        Optional<Rejection> rejection = rules.judge(generation, now);
        checked += rejection.isPresent() ? 0 : 1;
        rejection.ifPresent(said -> tell("%s, request %s: %s: %s"
                .formatted(request.position(), request.id(), said.getReason(), said.getDetail())));
    }

    private void tell(RecordedInputException badLine) {
        tell(badLine.getMessage());
    }

    private void tell(String message) {
        broken++;
        if (broken <= SHOWN_MAX) {
            spec.commandLine().getErr().println(message);
        } else if (broken == SHOWN_MAX + 1) {
            spec.commandLine().getErr().println("further ones are counted and not shown");
        }
    }
}
