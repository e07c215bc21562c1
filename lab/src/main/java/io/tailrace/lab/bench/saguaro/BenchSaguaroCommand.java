package io.tailrace.lab.bench.saguaro;

import io.tailrace.lab.bench.serve.BenchedModel;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.Table;
import io.tailrace.worker.model.TargetModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench saguaro}: acceptance against foreseen endings, for a draft source with probabilities. */
@Command(
        name = "saguaro",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What would Saguaro sampling trade? A model and its first layers, as a draft source, read recorded answers; at each place it is"
                    + " known what speculative sampling, the same with the cached tokens scaled down, and Tailrace's own rule (sample once,"
                    + " follow the draft if it agrees) would accept, and how often a speculation cache would have the model's own token.",
            "Give answers that the model itself sampled, at their temperature."
        },
        footerHeading = "%nExample:%n",
        footer =
                "  tailrace bench saguaro --model models/tinystories-656k --input tinystories_t10.jsonl.gz --temperature 1")
public final class BenchSaguaroCommand implements Callable<Integer> {
    private static final int CACHE_TOKENS = 8_192;
    private static final double[] FACTORS = {1, 0.75, 0.5, 0.25, 0};

    @Mixin
    private BenchedModel model = new BenchedModel();

    @Mixin
    private StreamReader.Options inputs = new StreamReader.Options();

    @Bounds(min = 1)
    @Option(
            names = "--layers",
            defaultValue = "1",
            paramLabel = "N",
            description = "The draft source: so many of the model's first layers. Default: ${DEFAULT-VALUE}.")
    private int layers;

    @Bounds(min = 0, above = true)
    @Option(
            names = "--temperature",
            defaultValue = "1",
            paramLabel = "T",
            description = "At which the answers were sampled. Default: ${DEFAULT-VALUE}.")
    private double temperature;

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--cached",
            defaultValue = "4",
            paramLabel = "F",
            description = "Tokens prepared for at each place, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int cached;

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--line",
            defaultValue = "4",
            paramLabel = "K",
            description = "Drafted tokens a verification, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int line;

    @Option(
            names = "--draft-steps",
            defaultValue = "0.5",
            paramLabel = "TIME",
            description = "How long a miss waits for its draft, in verifications. Default: ${DEFAULT-VALUE}.")
    private double draftSteps;

    @Bounds(min = 2, max = 100_000)
    @Option(
            names = "--requests",
            defaultValue = "100",
            paramLabel = "N",
            description = "The first N requests of each input. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        check();
        PrintWriter out = spec.commandLine().getOut();
        String head = model.head();
        SaguaroTrade trade = new SaguaroTrade(cached, FACTORS);
        read(trade);
        List<SaguaroTrade.Row> rows = trade.rows(line, draftSteps);
        out.println(
                "%s, first %d layers draft; %,d places, %d tokens cached at each; lines of %d, a draft takes %s steps"
                        .formatted(head, layers, trade.places(), cached, line, Require.plain(draftSteps)));
        print(rows, out);
        model.write(json(trade, rows));
        return ExitCodes.DONE;
    }

    private void check() throws IOException {
        model.check();
        if (!(draftSteps >= 0)) {
            throw new BadInputException("--draft-steps must be at least 0, got " + Require.plain(draftSteps));
        }
    }

    private void read(SaguaroTrade into) {
        List<ReplayCase> cases = inputs.streams(requests).stream()
                .flatMap(stream -> stream.cases().stream())
                .toList();
        try (TargetModel target = model.target(CACHE_TOKENS);
                TargetModel draft = target.firstLayers(layers, CACHE_TOKENS)) {
            into.read(target, draft, cases, temperature);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private static void print(List<SaguaroTrade.Row> rows, PrintWriter out) {
        Table table = new Table(
                "rule",
                "factor",
                "accepted %",
                "hits after a rejection %",
                "tokens/verification",
                "hits %",
                "tokens/step time");
        rows.forEach(row -> table.row(
                row.rule(),
                row.factor() == null ? "-" : Require.plain(row.factor()),
                100 * row.acceptance(),
                100 * row.hitsAfterRejection(),
                new Table.Number3(row.tokensPerVerification()),
                100 * row.hitRate(),
                new Table.Number3(row.tokensPerStepTime())));
        table.print(out);
        out.flush();
    }

    private Map<String, Object> json(SaguaroTrade trade, List<SaguaroTrade.Row> rows) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("layers", layers);
        all.put("temperature", temperature);
        all.put("cached", cached);
        all.put("line", line);
        all.put("draftSteps", draftSteps);
        all.put("places", trade.places());
        all.put("rows", rows);
        return all;
    }
}
