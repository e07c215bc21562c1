package io.tailrace.lab.bench.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.engine.EngineEnvironment;
import io.tailrace.lab.engine.LogTail;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The engine's process: it is given a plan, and says line by line what happens. */
final class EngineHarness {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final EngineEnvironment environment;
    private final Path folder;

    /** Told what the engine says. */
    interface Listener {
        /** An event; one that waits for an answer goes on when this returns. */
        void event(String name, JsonNode event) throws IOException;
    }

    /** @param folder where the plan and the engine's log are put */
    EngineHarness(EngineEnvironment environment, Path folder) {
        this.environment = environment;
        this.folder = folder;
    }

    /** Runs a plan to its end. */
    void run(Map<String, Object> plan, Listener listener) throws IOException, InterruptedException {
        Path file = folder.resolve("plan.json");
        Path log = folder.resolve("engine.log");
        MAPPER.writeValue(file.toFile(), plan);
        Process engine = process(file, log);
        try {
            boolean complete = read(engine, listener);
            if (engine.waitFor() != 0 || !complete) {
                throw new IOException(
                        "the engine ended before its plan; the end of its log:%n%s".formatted(LogTail.of(log)));
            }
        } finally {
            engine.destroyForcibly();
        }
    }

    /** Whether the plan was carried out. */
    private static boolean read(Process engine, Listener listener) throws IOException {
        boolean done = false;
        try (BufferedReader lines = engine.inputReader(StandardCharsets.UTF_8);
                Writer answers = engine.outputWriter(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = MAPPER.readTree(line);
                String name = event.get("event").asText();
                listener.event(name, event);
                if (event.path("waits").asBoolean()) {
                    answers.write("go\n");
                    answers.flush();
                }
                done |= name.equals("done");
            }
        }
        return done;
    }

    /** Threads that compute the model: vLLM takes all cores but one. */
    static int modelThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    }

    /** Where the engine's side and the door are. */
    static List<Path> sources() {
        Path home = Path.of(System.getProperty("tailrace.home", ".")).toAbsolutePath();
        return List.of(home.resolve("lab/src/main/python"), home.resolve("engines/python/src"));
    }

    private Process process(Path plan, Path log) throws IOException {
        ProcessBuilder builder = environment.process(sources(), List.of("-m", "tailrace_bench", plan.toString()));
        builder.environment().put("VLLM_ENABLE_V1_MULTIPROCESSING", "0");
        // As vLLM sets them for a model in a process of its own: one core is left to what is no model.
        builder.environment().put("OMP_NUM_THREADS", Integer.toString(modelThreads()));
        builder.environment().put("KMP_BLOCKTIME", "5");
        // vLLM's n-grams would give the OpenMP that the model shares with them all cores, for all turns that come
        // after.
        builder.environment().put("NUMBA_NUM_THREADS", "1");
        return builder.redirectError(log.toFile()).start();
    }
}
