package io.tailrace.lab.demo;

import io.tailrace.cli.console.LocalConsole;
import io.tailrace.lab.demo.EngineDemoResult.EngineShare;
import io.tailrace.lab.engine.EngineAnswer;
import io.tailrace.lab.engine.EngineEnvironment;
import io.tailrace.lab.engine.EngineFleet;
import io.tailrace.lab.engine.EngineFleet.Replica;
import io.tailrace.lab.engine.EngineModel;
import io.tailrace.lab.engine.MetricsPage;
import io.tailrace.lab.engine.VllmServer;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.local.LocalLoop;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Two stock engines with real forward passes, an agent beside each, and the loop. One engine answers a prompt, a second later the other one answers
 * it, too. All is held against what vLLM answers without Tailrace.
 */
final class EngineDemo {
    /** Tokens of each answer. */
    static final int ANSWER_TOKENS = 64;

    private static final int LENGTH_MAX = 512;
    private static final String MODEL = "demo";
    private static final String FIRST = "engine-1";
    private static final String SECOND = "engine-2";
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration BETWEEN_ENGINES = Duration.ofSeconds(1);
    private static final Duration OUTCOME_MAX = Duration.ofSeconds(5);
    private static final Duration SETTLING_MAX = Duration.ofSeconds(60);

    private final PrintWriter out;
    private final DemoStages stages;
    private final List<String> prompts;
    private final Map<String, Long> equal = new HashMap<>();
    private double firstSharedSeconds = -1;

    EngineDemo(PrintWriter out, int prompts) {
        this.out = out;
        this.stages = new DemoStages(out);
        this.prompts = DemoPrompts.of(prompts);
    }

    /**
     * Runs it.
     *
     * @param options its model's folder, or null, and its Python
     * @param loop what is to be changed of the loop
     * @param then told of the fleet and its console while it still runs, after the summary
     */
    EngineDemoResult run(EngineDemoOptions options, Path folder, UnaryOperator<LocalLoop.Options> loop, Then then)
            throws Exception {
        Path home = WorkFolder.home().getParent();
        EngineEnvironment environment = stages.run(
                "Looking at the Python environment", () -> EngineEnvironment.open(options.environment(), out));
        out.println("%s; %d prompts, answers of %d tokens each, the likeliest at each place."
                .formatted(environment.describe(), prompts.size(), ANSWER_TOKENS));
        EngineModel model = model(options, folder);
        List<EngineAnswer> truth = truth(environment, model, folder);
        LocalLoop.Options loopOptions = loop.apply(EngineFleet.options(folder.resolve("fleet"), model));
        try (EngineFleet fleet = stages.run(
                        "Starting Kafka and Flink", () -> EngineFleet.start(environment, model, home, loopOptions));
                LocalConsole console = LocalConsole.start(fleet.loop())) {
            DemoCommand.addresses(fleet.loop(), console, out);
            startEngines(fleet);
            EngineDemoResult result = measure(fleet, environment, truth);
            then.accept(fleet, console, result);
            return result;
        }
    }

    /** What comes after the summary. */
    interface Then {
        void accept(EngineFleet fleet, LocalConsole console, EngineDemoResult result) throws Exception;
    }

    private EngineModel model(EngineDemoOptions options, Path folder) throws Exception {
        if (options.model() != null) {
            return EngineModel.in(options.model(), MODEL, LENGTH_MAX);
        }
        return stages.run(
                "Making a small Llama with random weights",
                () -> EngineModel.make(folder.resolve("model"), MODEL, LENGTH_MAX));
    }

    private List<EngineAnswer> truth(EngineEnvironment environment, EngineModel model, Path folder) throws Exception {
        Path log = folder.resolve("engine-alone.log");
        try (VllmServer alone = stages.run("Starting vLLM without Tailrace", () -> {
            VllmServer server = VllmServer.launch(environment, model, List.of(), List.of(), Map.of(), log);
            return ready(server);
        })) {
            return stages.run("It answers %d prompts".formatted(prompts.size()), () -> {
                List<EngineAnswer> answers = new ArrayList<>();
                for (String prompt : prompts) {
                    answers.add(alone.complete(prompt, ANSWER_TOKENS));
                }
                return answers;
            });
        }
    }

    private static VllmServer ready(VllmServer server) throws IOException, InterruptedException {
        try {
            server.awaitReady();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void startEngines(EngineFleet fleet) throws Exception {
        stages.run("Starting two vLLM with Tailrace, an agent beside each", () -> {
            fleet.add(FIRST);
            fleet.add(SECOND);
            for (Replica replica : fleet.replicas()) {
                replica.engine().awaitReady();
            }
            return null;
        });
    }

    private EngineDemoResult measure(EngineFleet fleet, EngineEnvironment environment, List<EngineAnswer> truth)
            throws Exception {
        Replica first = fleet.replicas().get(0);
        Replica second = fleet.replicas().get(1);
        try (LoopObserver observer =
                LoopObserver.of(fleet.loop().bootstrap(), fleet.loop().trustedKeys())) {
            stages.run("Each answers all prompts, %s a second after %s".formatted(SECOND, FIRST), () -> {
                for (int prompt = 0; prompt < prompts.size(); prompt++) {
                    ask(first, prompt, truth);
                    await(observer, BETWEEN_ENGINES, () -> false);
                    ask(second, prompt, truth);
                    lookForShared(observer, prompt + 1);
                }
                return null;
            });
            stages.run("Waiting until the accounts are settled", () -> {
                await(
                        observer,
                        SETTLING_MAX,
                        () -> observer.total().requests() == 2L * prompts.size()
                                && observer.accounting().settled());
                return null;
            });
            return new EngineDemoResult(
                    environment.describe(),
                    prompts.size(),
                    List.of(share(first, observer), share(second, observer)),
                    second.agent().metrics().sum("tailrace_heard_p50_seconds").orElse(-1),
                    firstSharedSeconds,
                    stages.all(),
                    observer.accounting());
        }
    }

    private void ask(Replica replica, int prompt, List<EngineAnswer> truth) throws IOException, InterruptedException {
        EngineAnswer answer = replica.engine().complete(prompts.get(prompt), ANSWER_TOKENS);
        equal.merge(replica.name(), answer.tokens().equals(truth.get(prompt).tokens()) ? 1L : 0L, Long::sum);
    }

    /** Notes when the second engine has first accepted what another answer said. */
    private void lookForShared(LoopObserver observer, int answered) {
        double seconds = stages.seconds();
        if (firstSharedSeconds < 0) {
            await(observer, OUTCOME_MAX, () -> observer.total(SECOND).requests() >= answered);
            firstSharedSeconds = observer.total(SECOND).acceptedFromAnswers() > 0 ? seconds : -1;
        }
    }

    private static void await(LoopObserver observer, Duration max, BooleanSupplier done) {
        long deadline = System.nanoTime() + max.toNanos();
        while (System.nanoTime() < deadline && !done.getAsBoolean()) {
            observer.poll(POLL);
        }
    }

    private EngineShare share(Replica replica, LoopObserver observer) throws IOException, InterruptedException {
        MetricsPage engine = replica.engine().metrics();
        return new EngineShare(
                replica.name(), equal.getOrDefault(replica.name(), 0L), observer.total(replica.name()), (long)
                        engine.sum("vllm:spec_decode_num_accepted_tokens_total").orElse(0));
    }
}
