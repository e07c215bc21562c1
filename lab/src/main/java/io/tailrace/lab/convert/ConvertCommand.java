package io.tailrace.lab.convert;

import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequests;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace convert}: logs as token ids. */
@Command(
        name = "convert",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Writes logs as recorded requests, which hold token ids and no text.",
        footerHeading = "%nExample:%n",
        footer = {
            "  tailrace convert --input chat.jsonl --tokenizer models/llama --output ids.jsonl.gz",
            "",
            "Exit code 0: done; 2: bad input or usage."
        })
public final class ConvertCommand implements Callable<Integer> {
    @Option(names = "--input", required = true, arity = "1..*", paramLabel = "FILE", description = LogInputs.FILES)
    private List<Path> files;

    @Mixin
    private LogInputs inputs = new LogInputs();

    @Option(
            names = "--skip-bad-lines",
            description = "Report lines of the inputs that cannot be read, and go on. Default: stop at the first.")
    private boolean skipBadLines;

    @Option(
            names = "--output",
            required = true,
            paramLabel = "FILE",
            description = "File to write; packed if its name ends with .gz or .zst. One that is there is replaced.")
    private Path output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        JsonFile.check("--output", output);
        RecordedInput.checkKept("--output", output, files);
        Path aside = aside();
        long requests = 0;
        long renamed;
        try (RecordedWriter writer = new RecordedWriter(aside);
                RecordedRequests read = inputs.open(files, RecordedInputOptions.UNBOUNDED, out, badLines())) {
            for (; read.hasNext(); requests++) {
                writer.write(read.next());
            }
            if (requests == 0) {
                throw RecordedInput.nothingIn(files);
            }
            renamed = writer.renamed();
        } catch (RuntimeException e) {
            Files.deleteIfExists(aside);
            throw e;
        }
        Files.move(aside, output, StandardCopyOption.REPLACE_EXISTING);
        out.println("%s: %,d requests as token ids%s"
                .formatted(
                        output,
                        requests,
                        renamed == 0 ? "" : "; repeated ids, now with #2 and up: %,d".formatted(renamed)));
        return ExitCodes.DONE;
    }

    private Consumer<RecordedInputException> badLines() {
        return skipBadLines
                ? RecordedInputException.reportedOn(spec.commandLine().getErr())
                : badLine -> {
                    throw badLine;
                };
    }

    /** Packed like the file itself; no file that somebody else has there. */
    private Path aside() {
        return output.resolveSibling(
                "part-%d-%s".formatted(ProcessHandle.current().pid(), output.getFileName()));
    }
}
