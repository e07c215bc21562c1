package io.tailrace.lab.engine;

import io.tailrace.local.LocalLoop;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.LaneId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * A loop in this process, and as many stock vLLM engines of one model as are added, an agent beside each. All requests are of one scope. What was
 * started last is ended first.
 */
public final class EngineFleet implements AutoCloseable {
    private static final String SCOPE = "demo";
    private static final String SCHEDULER = "tailrace.vllm.TailraceScheduler";

    private final EngineEnvironment environment;
    private final EngineModel model;
    private final Path folder;
    private final Path doors;
    private final Path sockets;
    private final LocalLoop loop;
    private final List<Replica> replicas = new ArrayList<>();
    private final Deque<Closeable> started = new ArrayDeque<>();

    /**
     * An engine and its agent.
     *
     * @param name of the engine, and of the agent, in the fleet
     */
    public record Replica(String name, AgentProcess agent, VllmServer engine) {}

    private EngineFleet(EngineEnvironment environment, EngineModel model, Path folder, Path doors, LocalLoop loop)
            throws IOException {
        this.environment = environment;
        this.model = model;
        this.folder = folder;
        this.doors = doors;
        this.loop = loop;
        this.sockets = Files.createTempDirectory("tailrace-");
    }

    /**
     * Starts the loop.
     *
     * @param home the checkout
     * @param options of a loop for the model; what the fleet writes lies in its folder
     */
    public static EngineFleet start(
            EngineEnvironment environment, EngineModel model, Path home, LocalLoop.Options options) throws IOException {
        Path folder = options.folder().toAbsolutePath();
        Path doors = DoorPackage.install(home, folder.resolve("doors"));
        LocalLoop loop = LocalLoop.start(options);
        try {
            return new EngineFleet(environment, model, folder, doors, loop);
        } catch (IOException e) {
            loop.close();
            throw e;
        }
    }

    /** Options of a loop for a model. */
    public static LocalLoop.Options options(Path folder, EngineModel model) {
        return LocalLoop.Options.in(
                folder,
                new ModelCatalog.Model(
                        model.served().model(),
                        model.served().revision(),
                        model.served().vocabularySize(),
                        model.served().tokenizerFingerprint()));
    }

    /** The loop that the agents are connected to. */
    public LocalLoop loop() {
        return loop;
    }

    /** The one lane. */
    public LaneId lane() {
        return model.served().lane(SCOPE);
    }

    /** Adds an agent, and an engine that {@linkplain VllmServer#awaitReady gets ready}. */
    public Replica add(String name) throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.resolve(name));
        List<String> arguments = new ArrayList<>(
                List.of("--bootstrap", loop.bootstrap(), "--store", loop.store().toString(), "--scope", SCOPE));
        loop.keys()
                .ifPresent(keys -> arguments.addAll(
                        List.of("--trusted-keys", keys.trusted().toString())));
        AgentProcess agent = AgentProcess.start(name, own, sockets, arguments);
        started.push(agent);
        VllmServer engine = VllmServer.launch(
                environment,
                model,
                List.of(doors),
                List.of("--scheduler-cls", SCHEDULER),
                Map.of("TAILRACE_AGENT", agent.address(), "TAILRACE_ENGINE", name),
                own.resolve("engine.log"));
        started.push(engine);
        Replica replica = new Replica(name, agent, engine);
        replicas.add(replica);
        return replica;
    }

    /** In the order in which they were added. */
    public List<Replica> replicas() {
        return List.copyOf(replicas);
    }

    @Override
    public void close() throws IOException {
        try (loop) {
            while (!started.isEmpty()) {
                started.pop().close();
            }
        } finally {
            Files.deleteIfExists(sockets);
        }
    }
}
