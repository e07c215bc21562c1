package io.tailrace.lab.bench.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The engine's process: it is given a plan, and says line by line what happens. */
final class EngineHarness {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int LOG_LINES = 15;
    private static final String KV_CACHE_GIGABYTES = "2";

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
                throw new IOException("the engine ended before its plan; the end of its log:%n%s".formatted(tail(log)));
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

    private Process process(Path plan, Path log) throws IOException {
        Path home = Path.of(System.getProperty("tailrace.home", ".")).toAbsolutePath();
        ProcessBuilder builder =
                new ProcessBuilder(environment.python().toString(), "-m", "tailrace_bench", plan.toString());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("TAILRACE_"));
        variables.put(
                "PYTHONPATH",
                Stream.of("lab/src/main/python", "engines/python/src")
                        .map(each -> home.resolve(each).toString())
                        .collect(Collectors.joining(":")));
        if (!environment.preload().isEmpty()) {
            variables.put("LD_PRELOAD", environment.preload());
        }
        variables.put("VLLM_ENABLE_V1_MULTIPROCESSING", "0");
        variables.put("VLLM_CACHE_ROOT", environment.cache().toString());
        variables.putIfAbsent("VLLM_CPU_KVCACHE_SPACE", KV_CACHE_GIGABYTES);
        variables.putIfAbsent("VLLM_LOGGING_LEVEL", "WARNING");
        variables.put("VLLM_NO_USAGE_STATS", "1");
        variables.put("HF_HUB_OFFLINE", "1");
        return builder.redirectError(log.toFile()).start();
    }

    private static String tail(Path log) throws IOException {
        var lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }
}
