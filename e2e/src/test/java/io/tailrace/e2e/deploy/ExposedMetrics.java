package io.tailrace.e2e.deploy;

import io.tailrace.operators.MetricNames;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What Prometheus finds at an installation's processes: metrics by their names there, each with its labels. */
final class ExposedMetrics {
    /** What a scrape configuration adds to every series. */
    private static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance", "installation");

    private static final Set<String> OF_FLINKS_OPERATORS = Set.of("job_name", "operator_name", "task_name", "tm_id");
    private static final String OPERATOR = "flink_taskmanager_job_task_operator_";

    private static final Map<String, Set<String>> OF_OTHERS = Map.of(
            "up",
            Set.of(),
            "ALERTS",
            Set.of("alertname", "alertstate", "severity", "lane", "worker"),
            "flink_jobmanager_numRunningJobs",
            Set.of(),
            "flink_jobmanager_job_numRestarts",
            Set.of("job_name"),
            "flink_jobmanager_job_lastCheckpointDuration",
            Set.of("job_name"),
            "flink_jobmanager_job_numberOfFailedCheckpoints",
            Set.of("job_name"),
            "flink_jobmanager_job_numberOfCompletedCheckpoints",
            Set.of("job_name"),
            OPERATOR + "pendingRecords",
            OF_FLINKS_OPERATORS);

    /** The reference has the names with the labels before them, as Flink's reporter writes them. */
    private static final Pattern OF_THE_JOB = Pattern.compile("`((?:(?:lane|shard|reason)_)*)([A-Za-z]+)`");

    private static final Pattern METER =
            Pattern.compile("(?s)(laneCounter|counter|count|laneGauge|spool|gauge|timer|DistributionSummary\\.builder)"
                    + "\\(\\s*\"(tailrace[.a-z0-9]+)\"(.*?);");
    /** A description has more than one word, or begins with a capital. */
    private static final Pattern TAG = Pattern.compile("\"([a-z]+)\"");

    private static final List<String> METERS = List.of(
            "agent/src/main/java/io/tailrace/agent/serve/AgentMetrics.java",
            "cli/src/main/java/io/tailrace/cli/audit/AuditMetrics.java",
            "monitoring/src/main/java/io/tailrace/monitoring/Meters.java",
            "monitoring/src/main/java/io/tailrace/monitoring/LaneMeters.java",
            "tap/src/main/java/io/tailrace/tap/TapMetrics.java",
            "worker/src/main/java/io/tailrace/worker/serve/ServingMetrics.java",
            "worker/src/main/java/io/tailrace/worker/serve/ServingWorker.java",
            "worker/src/main/java/io/tailrace/worker/serve/WorkerMetrics.java");

    /** A test of the engines' doors finds them at a vLLM that runs. */
    private static final Set<String> OF_VLLM = Set.of("model_name", "engine");

    private static final ExposedMetrics ALL = new ExposedMetrics();

    private final Map<String, Set<String>> labels = new TreeMap<>();

    private ExposedMetrics() {
        OF_OTHERS.forEach(this::add);
        add("vllm:num_requests_running", OF_VLLM);
        add("vllm:num_requests_waiting", OF_VLLM);
        histogram("vllm:time_to_first_token_seconds", OF_VLLM);
        histogram("vllm:request_time_per_output_token_seconds", OF_VLLM);
        ofTheJob();
        METERS.forEach(this::ofAProcess);
    }

    static ExposedMetrics all() {
        return ALL;
    }

    /** Labels of a metric, those of the scrape among them; empty: nobody measures it. */
    Optional<Set<String>> labels(String metric) {
        return Optional.ofNullable(labels.get(metric));
    }

    private void add(String metric, Collection<String> its) {
        Set<String> all = labels.computeIfAbsent(metric, name -> new TreeSet<>(OF_THE_SCRAPE));
        all.addAll(its);
    }

    private void ofTheJob() {
        String page = RepositoryFiles.text("docs/reference/metrics.md");
        String section = page.substring(page.indexOf("## The job"), page.indexOf("## A worker"));
        Set<String> constants = constants();
        OF_THE_JOB
                .matcher(section)
                .results()
                .filter(name -> constants.contains(name.group(2)))
                .forEach(name -> {
                    Set<String> its = Stream.of(name.group(1).split("_", -1))
                            .filter(label -> !label.isEmpty())
                            .collect(Collectors.toCollection(TreeSet::new));
                    its.addAll(OF_FLINKS_OPERATORS);
                    if (name.group(2).equals(MetricNames.FRESHNESS_MILLIS)) {
                        its.add("quantile");
                    }
                    add(OPERATOR + name.group(1) + name.group(2), its);
                });
    }

    private static Set<String> constants() {
        Set<String> names = new TreeSet<>();
        for (Field constant : MetricNames.class.getFields()) {
            try {
                names.add(String.valueOf(constant.get(null)));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        return names;
    }

    /** What Prometheus calls the meters that sources name: gauges as they are, the others with an ending. */
    private void ofAProcess(String source) {
        METER.matcher(RepositoryFiles.text(source)).results().forEach(meter -> {
            Set<String> its = TAG.matcher(meter.group(3))
                    .results()
                    .map(tag -> tag.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            its.add("worker");
            String name = meter.group(2).replace('.', '_');
            switch (meter.group(1)) {
                case "laneCounter", "count", "laneGauge" -> its.add("lane");
                default -> {}
            }
            switch (meter.group(1)) {
                case "laneCounter", "counter", "count" -> add(name + "_total", its);
                case "timer" -> histogram(name + "_seconds", its);
                case "DistributionSummary.builder" -> histogram(name, its);
                default -> add(name, its);
            }
        });
    }

    private void histogram(String name, Set<String> its) {
        add(name + "_sum", its);
        add(name + "_count", its);
        add(name + "_bucket", its);
        add(name + "_bucket", Set.of("le"));
    }
}
