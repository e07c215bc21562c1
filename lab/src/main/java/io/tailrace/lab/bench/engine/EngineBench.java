package io.tailrace.lab.bench.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.engine.AgentProcess;
import io.tailrace.lab.engine.EngineEnvironment;
import io.tailrace.operators.admission.ModelCatalog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs the engines of a benchmark, one for each model size and batch, with the agents that they need. */
final class EngineBench {
    /** As the engine's side says it. */
    private static final ModelSpecParts MODEL = new ModelSpecParts("replay", "main", "sha256:0123456789abcdef");

    private static final int LENGTH_STEP = 256;
    /** Tokens after the recorded ones that a request may go on for. */
    private static final int LENGTH_BEYOND = 128;

    private final EngineEnvironment environment;
    private final EngineTraffic traffic;
    private final Options options;
    private final Consumer<String> progress;
    private String precision = "";

    private record ModelSpecParts(String model, String revision, String tokenizer) {}

    /**
     * What is measured.
     *
     * @param requests served of each workload
     * @param before requests of each workload that were answered before
     * @param block requests that a drafter serves in its turn
     * @param passes the first warms up
     * @param replicas of the part in which others answer, too; 1: there is none
     * @param draftTokens most that Tailrace drafts for a request and step
     * @param floors of Tailrace's further turns, which draft by a fixed floor
     * @param eager whether the engine computes without compiling first
     */
    record Options(
            List<String> sizes,
            List<Integer> batches,
            int requests,
            int before,
            int block,
            int passes,
            int replicas,
            int draftTokens,
            List<Double> floors,
            boolean eager) {
        /** A turn keeps the engine's batch full. */
        int block(int batch) {
            return Math.max(block, 2 * batch);
        }

        int served(int batch) {
            return Math.max(requests, 2 * block(batch));
        }

        /** Batches that need more requests than were asked for, for people. */
        List<String> raised() {
            return batches.stream()
                    .filter(batch -> served(batch) > requests || block(batch) > block)
                    .map(batch ->
                            "batch %d needs %d requests of each workload, in blocks of %d, where %d in blocks of %d were asked for"
                                    .formatted(batch, served(batch), block(batch), requests, block))
                    .toList();
        }

        /** Requests of a workload that the largest part needs. */
        int needed() {
            int most = batches.stream().mapToInt(this::served).max().orElseThrow();
            return before + most * replicas + replicas;
        }
    }

    EngineBench(EngineEnvironment environment, EngineTraffic traffic, Options options, Consumer<String> progress) {
        this.environment = environment;
        this.traffic = traffic;
        this.options = options;
        this.progress = progress;
    }

    /** Of the model's weights: what the processor multiplies. */
    String precision() {
        return precision;
    }

    List<EngineCell> run(Path folder) throws IOException, InterruptedException {
        Path requests = folder.resolve("requests.jsonl");
        traffic.write(requests);
        List<EngineCell> cells = new ArrayList<>();
        for (String size : options.sizes()) {
            for (int batch : options.batches()) {
                Path own = Files.createDirectories(folder.resolve(size + "-" + batch));
                cells.addAll(run(own, requests, size, batch));
            }
        }
        return cells;
    }

    private List<EngineCell> run(Path folder, Path requests, String size, int batch)
            throws IOException, InterruptedException {
        List<Closeable> opened = new ArrayList<>();
        Path sockets = Files.createTempDirectory("tailrace-");
        try {
            List<Map<String, Object>> alone = drafters(folder, sockets, opened);
            OtherReplicas others = null;
            List<Map<String, Object>> sharing = List.of();
            if (options.replicas() > 1) {
                others = OtherReplicas.start(
                        folder.resolve("loop"),
                        new ModelCatalog.Model(
                                MODEL.model(), MODEL.revision(), traffic.vocabulary(), MODEL.tokenizer()));
                opened.add(others);
                AgentProcess agent =
                        AgentProcess.start("fleet", folder.resolve("fleet"), sockets, others.agentArguments());
                opened.add(agent);
                sharing = List.of(
                        drafter(EngineCell.NONE, "none", null),
                        drafter(EngineCell.SUFFIX, "suffix", null),
                        drafter(EngineCell.TAILRACE, "tailrace", agent));
            }
            Cells cells = new Cells(size, batch, others);
            new EngineHarness(environment, folder).run(plan(folder, requests, size, batch, alone, sharing), cells);
            for (Closeable part : opened) {
                if (part instanceof AgentProcess agent) {
                    requireAsked(agent);
                }
            }
            return List.copyOf(cells.cells.values());
        } finally {
            close(opened);
            Files.deleteIfExists(sockets);
        }
    }

    /** Else another agent had its turns. */
    private static void requireAsked(AgentProcess agent) throws IOException, InterruptedException {
        if (!(agent.metrics().sum("tailrace_engine_drafts_total").orElse(0) > 0)) {
            throw new IOException("the agent at %s was asked for no draft".formatted(agent.address()));
        }
    }

    private List<Map<String, Object>> drafters(Path folder, Path sockets, List<Closeable> opened)
            throws IOException, InterruptedException {
        List<Map<String, Object>> drafters = new ArrayList<>();
        drafters.add(drafter(EngineCell.NONE, "none", null));
        drafters.add(drafter("n-gram", "ngram", null));
        drafters.add(drafter(EngineCell.SUFFIX, "suffix", null));
        AgentProcess agent = AgentProcess.start("alone", folder.resolve("alone"), sockets, List.of());
        opened.add(agent);
        drafters.add(drafter(EngineCell.TAILRACE, "tailrace", agent));
        for (double floor : options.floors()) {
            String name = "floor-" + floor;
            AgentProcess fixed = AgentProcess.start(
                    name, folder.resolve(name), sockets, List.of("--fixed-floor", Double.toString(floor)));
            opened.add(fixed);
            drafters.add(drafter(EngineCell.floor(floor), "tailrace", fixed));
        }
        return drafters;
    }

    private Map<String, Object> drafter(String name, String kind, AgentProcess agent) {
        Map<String, Object> drafter = new LinkedHashMap<>();
        drafter.put("name", name);
        drafter.put("kind", kind);
        if (agent != null) {
            drafter.put("agent", agent.address());
            drafter.put("draftTokens", options.draftTokens());
        }
        return drafter;
    }

    private Map<String, Object> plan(
            Path folder,
            Path requests,
            String size,
            int batch,
            List<Map<String, Object>> alone,
            List<Map<String, Object>> sharing) {
        List<Map<String, Object>> parts = new ArrayList<>();
        for (String workload : traffic.workloads()) {
            parts.add(part(workload, batch, 1, alone));
            if (!sharing.isEmpty()) {
                parts.add(part(workload, batch, options.replicas(), sharing));
            }
        }
        int length = (traffic.tokensMax() + LENGTH_BEYOND) / LENGTH_STEP * LENGTH_STEP + LENGTH_STEP;
        return Map.of(
                "model",
                Map.of(
                        "folder",
                        folder.resolve("model").toString(),
                        "size",
                        size,
                        "vocabulary",
                        traffic.vocabulary(),
                        "length",
                        length,
                        "batch",
                        batch,
                        "eager",
                        options.eager()),
                "requests",
                requests.toString(),
                "parts",
                parts);
    }

    private Map<String, Object> part(String workload, int batch, int replicas, List<Map<String, Object>> drafters) {
        Map<String, Object> part = new LinkedHashMap<>();
        part.put("name", "of-" + replicas);
        part.put("workload", workload);
        part.put("before", traffic.before(workload, options.before(), replicas));
        part.put("served", traffic.served(workload, options.before(), options.served(batch), replicas));
        part.put("block", options.block(batch));
        part.put("passes", options.passes());
        part.put("shared", replicas > 1);
        part.put("drafters", drafters);
        return part;
    }

    private static void close(List<Closeable> opened) throws IOException {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    /** Takes in what an engine says, and answers what the other replicas answer. */
    private final class Cells implements EngineHarness.Listener {
        private final String size;
        private final int batch;
        private final OtherReplicas others;
        private final Map<String, EngineCell> cells = new LinkedHashMap<>();

        Cells(String size, int batch, OtherReplicas others) {
            this.size = size;
            this.batch = batch;
            this.others = others;
        }

        @Override
        public void event(String name, JsonNode event) throws IOException {
            switch (name) {
                case "started" -> {
                    precision = event.get("precision").asText();
                    progress.accept("%s, batch %d: engine with %s started in %.0f s"
                            .formatted(
                                    size, batch, precision, event.get("seconds").asDouble()));
                }
                case "pass" -> pass(event);
                case "answered" -> {
                    for (JsonNode request : event.get("requests")) {
                        for (int elsewhere : traffic.elsewhere(request.asInt(), options.replicas())) {
                            others.answer(event.get("scope").asText(), traffic.request(elsewhere));
                        }
                    }
                    others.awaitHeard();
                }
                case "block" -> cell(event).add(event);
                default -> {}
            }
        }

        private void pass(JsonNode event) throws IOException {
            String workload = event.get("workload").asText();
            String scope = event.get("scope").asText();
            progress.accept("%s, batch %d: %s, %s, pass %d of %d%s"
                    .formatted(
                            size,
                            batch,
                            workload,
                            event.get("waits").asBoolean() ? "one of " + options.replicas() : "alone",
                            event.get("number").asInt() + 1,
                            options.passes(),
                            event.get("number").asInt() == 0 ? ", warms up" : ""));
            if (event.get("waits").asBoolean()) {
                for (int elsewhere : traffic.beforeElsewhere(workload, options.before(), options.replicas())) {
                    others.answer(scope, traffic.request(elsewhere));
                }
                others.awaitDigested();
            }
        }

        private EngineCell cell(JsonNode event) {
            String part = event.get("part").asText();
            String workload = event.get("workload").asText();
            int replicas = Integer.parseInt(part.substring(part.lastIndexOf('-') + 1));
            return cells.computeIfAbsent(part + " " + workload, key -> new EngineCell(size, batch, replicas, workload));
        }
    }
}
