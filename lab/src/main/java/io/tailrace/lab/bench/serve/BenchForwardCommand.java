package io.tailrace.lab.bench.serve;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.FiguresFile;
import io.tailrace.cli.terminal.Machine;
import io.tailrace.cli.terminal.Table;
import io.tailrace.cli.serving.DeviceOptions;
import io.tailrace.jobs.options.Bounds;
import io.tailrace.worker.djl.DjlModel;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.TargetModel;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench forward}: what verifying a tree costs, by its size and by the batch. */
@Command(
        name = "forward",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures forward passes of a model: 1, 8, 16 and 32 tokens of 1, 4 and 8 requests at once.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace bench forward --model models/tinystories-656k",
            "  tailrace bench forward --model models/llama-1b --compute-type fp16 --device cuda:0 --past 1024"
        })
public final class BenchForwardCommand implements Callable<Integer> {
    private static final int REQUESTS_MAX = 8;
    private static final int TREE_MAX = 32;

    @Option(
            names = "--model",
            paramLabel = "FOLDER",
            required = true,
            description = "The model: a Hugging Face directory with config.json and safetensors. Required.")
    private Path model;

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Bounds(min = 1)
    @Option(
            names = "--past",
            defaultValue = "128",
            paramLabel = "N",
            description = "Tokens that each request already has. Default: ${DEFAULT-VALUE}.")
    private int past;

    @Bounds(min = 100)
    @Option(
            names = "--passes",
            defaultValue = "400",
            paramLabel = "N",
            description = "Timed passes a row, at least 100. Default: ${DEFAULT-VALUE}.")
    private int passes;

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        figures.check();
        String commit = Machine.commit();
        PrintWriter out = spec.commandLine().getOut();
        out.println("%s; commit %s; %s, %s, %d tokens before"
                .formatted(Machine.describe(), commit, model.getFileName(), device.describe(), past));
        out.flush();
        List<ForwardBench.Row> rows = measure();
        Table table = new Table("requests", "tokens each", "median ms", "p99 ms", "to 1 token");
        rows.forEach(row -> table.row(row.batch(), row.treeTokens(), row.medianMillis(), row.p99Millis(), row.ratio()));
        table.print(out);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("machine", Machine.describe());
        result.put("commit", commit);
        result.put("rows", rows);
        figures.write(result);
        return ExitCodes.DONE;
    }

    private List<ForwardBench.Row> measure() throws BadInputException {
        try (TargetModel loaded = DjlModel.load(device.model(model, 0, REQUESTS_MAX * (past + TREE_MAX)))) {
            return ForwardBench.run(loaded, new ForwardBench.Options(past, passes));
        } catch (ModelLoadException | IllegalArgumentException e) {
            throw new BadInputException(e.getMessage());
        }
    }
}
