package io.tailrace.cli.serving;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.Interruption;
import io.tailrace.worker.device.DeviceChoice;
import io.tailrace.worker.device.ServingDevice;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.serve.ServingProcess;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tailrace worker}: serves a model until it is told to end. */
@Command(
        name = "worker",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves a model over HTTP, as OpenAI does, and drafts. With Kafka it follows the fleet's snapshots and reports"
                    + " generations and outcomes.",
            "Ctrl-C or SIGTERM ends it in order."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace worker --model models/tinystories-656k",
            "  tailrace worker --model models/llama-3b --bootstrap kafka:9092 --store http://store/segments/"
        })
public final class WorkerCommand implements Callable<Integer> {
    /** Of everything that is closed once requests are answered: clients, Kafka, the model. */
    private static final Duration CLOSING_TIME_MAX = Duration.ofSeconds(60);

    @Mixin
    private ModelArguments model = new ModelArguments();

    @Mixin
    private HttpArguments http = new HttpArguments();

    @Mixin
    private ServedDraftOptions drafting = new ServedDraftOptions();

    @Mixin
    private FleetArguments fleet = new FleetArguments();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        model.check();
        drafting.draftOptions();
        fleet.check();
        http.check();
        Duration endingTimeMax = CLOSING_TIME_MAX.plus(http.drainTime());
        try (Interruption interruption = Interruption.install(endingTimeMax)) {
            DeviceChoice choice = model.choose(drafting.strategy());
            LanguageModel loaded = model.load();
            ServingProcess process = process(loaded);
            interruption.onInterrupt(process::stop);
            return serve(process, loaded, model.drafts(choice, engine(), loaded));
        }
    }

    private int serve(ServingProcess process, LanguageModel loaded, ServingDevice drafts)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("device " + drafts.description());
        boolean well = process.run(loaded, drafts.drafts(), port -> {
            out.println("%s at http://%s:%d/v1".formatted(model.name(), http.host(), port));
            if (fleet.waitsForSnapshot()) {
                out.println("not ready before a first snapshot; /health/ready says what is missing");
            }
            out.flush();
        });
        return well ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private ServingProcess process(LanguageModel loaded) throws IOException {
        try {
            return new ServingProcess(options(loaded), http.endpoint(model.requestsMax()), http.drainTime());
        } catch (IllegalArgumentException | BadInputException e) {
            loaded.close();
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private EngineOptions engine() {
        return model.engine(drafting.budget());
    }

    private ServingWorkerOptions options(LanguageModel loaded) {
        return new ServingWorkerOptions(
                fleet.name(),
                model.workerClass(),
                model.served(loaded),
                engine(),
                drafting.draftOptions(),
                fleet.follow(),
                fleet.snapshotFolder(),
                fleet.waitsForSnapshot(),
                fleet.reporting());
    }
}
