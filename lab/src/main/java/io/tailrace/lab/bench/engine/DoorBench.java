package io.tailrace.lab.bench.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.engine.AgentProcess;
import io.tailrace.lab.engine.LogTail;
import io.tailrace.lab.engine.MetricsPage;
import io.tailrace.terminal.BadInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The door's time in a step, with an agent that knows what was answered before, and an engine that only sleeps. */
final class DoorBench {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int PROMPT_TOKENS_MAX = 1_024;
    private static final int ANSWER_TOKENS_MAX = 256;
    private static final int DRAFT_TOKENS = 16;
    private static final int ROUNDS = 4;
    private static final String AGENT_TIME = "tailrace_engine_step_draft_time_seconds";

    private DoorBench() {}

    /**
     * What is measured.
     *
     * @param requests served with each batch, at least
     * @param before requests that are known
     * @param step what the engine takes for a step
     */
    record Options(Path input, List<Integer> batches, int requests, int before, Duration step, String python) {
        int served(int batch) {
            return Math.max(requests, ROUNDS * batch);
        }
    }

    /** Times in microseconds. */
    record Micros(long p50, long p99) {
        static Micros of(double[] seconds) {
            double[] sorted = Arrays.stream(seconds).sorted().toArray();
            return new Micros(at(sorted, 0.5), at(sorted, 0.99));
        }

        private static long at(double[] sorted, double share) {
            return Math.round(1e6 * sorted[(int) Math.min(sorted.length - 1.0, share * sorted.length)]);
        }
    }

    /**
     * What came of a batch, once it had warmed up.
     *
     * @param tokensPerStep said by each request in a step
     * @param draftedPerRequest draft tokens of each request in a step
     * @param door all that the engine's thread has spent in the door, in a step
     * @param told of it, until the agent was told
     * @param waited the rest
     * @param agentMean microseconds that the agent has drafted for a step, on average
     */
    record Row(
            int batch,
            int steps,
            double tokensPerStep,
            double draftedPerRequest,
            Micros door,
            Micros told,
            Micros waited,
            long agentMean) {}

    static List<Row> run(Options options, Path folder) throws IOException, InterruptedException {
        int served = options.batches().stream().mapToInt(options::served).sum();
        EngineTraffic traffic = EngineTraffic.read(
                List.of(options.input()), options.before() + served, PROMPT_TOKENS_MAX, ANSWER_TOKENS_MAX);
        Path requests = folder.resolve("requests.jsonl");
        traffic.write(requests);
        Path sockets = Files.createTempDirectory("tailrace-");
        try (AgentProcess agent = AgentProcess.start("door", folder.resolve("agent"), sockets, List.of())) {
            Path plan = folder.resolve("plan.json");
            MAPPER.writeValue(plan.toFile(), plan(options, traffic, requests, agent));
            return serve(options, plan, folder.resolve("door.log"), agent);
        } finally {
            Files.deleteIfExists(sockets);
        }
    }

    private static Map<String, Object> plan(Options options, EngineTraffic traffic, Path requests, AgentProcess agent) {
        String workload = traffic.workloads().get(0);
        List<Integer> all = traffic.served(workload, options.before(), Integer.MAX_VALUE, 1);
        List<List<Integer>> served = new ArrayList<>();
        int from = 0;
        for (int batch : options.batches()) {
            int to = Math.min(all.size(), from + options.served(batch));
            if (to - from < 2 * batch) {
                throw new BadInputException(
                        "%s has too few requests for a batch of %d; give a smaller --before or --batch"
                                .formatted(options.input(), batch));
            }
            served.add(all.subList(from, to));
            from = to;
        }
        return Map.of(
                "requests",
                requests.toString(),
                "agent",
                agent.address(),
                "vocabulary",
                traffic.vocabulary(),
                "draftTokens",
                DRAFT_TOKENS,
                "stepSeconds",
                options.step().toNanos() * 1e-9,
                "before",
                traffic.before(workload, options.before(), 1),
                "served",
                served,
                "batches",
                options.batches());
    }

    private static List<Row> serve(Options options, Path plan, Path log, AgentProcess agent)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(options.python(), "-m", "tailrace_bench.door", plan.toString())
                .redirectError(log.toFile());
        builder.environment()
                .put(
                        "PYTHONPATH",
                        EngineHarness.sources().stream().map(Path::toString).collect(Collectors.joining(":")));
        Process process = builder.start();
        List<Row> rows = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                Writer commands = process.outputWriter(StandardCharsets.UTF_8)) {
            MetricsPage before = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode told = MAPPER.readTree(line);
                if (told.get("event").asText().equals("warm")) {
                    before = agent.metrics();
                    commands.write("go\n");
                    commands.flush();
                } else {
                    rows.add(row(told, before, agent.metrics()));
                }
            }
            if (process.waitFor() != 0) {
                throw new BadInputException("%s ended before its plan; the end of its log:%n%s"
                        .formatted(options.python(), LogTail.of(log)));
            }
        } finally {
            process.destroyForcibly();
        }
        return rows;
    }

    /** What the engine's side tells of a batch, and the agent's page before and after. */
    static Row row(JsonNode told, MetricsPage before, MetricsPage after) throws IOException {
        double[] telling = seconds(told.get("telling"));
        double[] waiting = seconds(told.get("waiting"));
        double[] all = new double[telling.length];
        Arrays.setAll(all, i -> telling[i] + waiting[i]);
        double requestSteps =
                told.get("tokens").asDouble() - told.get("accepted").asDouble();
        return new Row(
                told.get("batch").asInt(),
                told.get("steps").asInt(),
                told.get("tokens").asDouble() / requestSteps,
                told.get("drafted").asDouble() / requestSteps,
                Micros.of(all),
                Micros.of(telling),
                Micros.of(waiting),
                Math.round(1e6 * (grown("_sum", before, after) / grown("_count", before, after))));
    }

    /** A figure that is not there, or stands still while the agent drafts, is no zero. */
    private static double grown(String what, MetricsPage before, MetricsPage after) throws IOException {
        double grown = figure(what, after) - figure(what, before);
        if (!(grown > 0)) {
            throw new IOException(
                    "the agent's metrics page says that %s grew by %s while a batch was served, must be above 0"
                            .formatted(AGENT_TIME + what, grown));
        }
        return grown;
    }

    private static double figure(String what, MetricsPage page) throws IOException {
        return page.sum(AGENT_TIME + what)
                .orElseThrow(() -> new IOException("the agent's metrics page has no " + AGENT_TIME + what));
    }

    private static double[] seconds(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }
}
