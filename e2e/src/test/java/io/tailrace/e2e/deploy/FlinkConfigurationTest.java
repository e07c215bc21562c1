package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.jobs.IndexJob;
import io.tailrace.jobs.options.IndexJobOptions;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/** deploy/flink/config.yaml speaks of options that this Flink has, with values it can read. */
class FlinkConfigurationTest {
    private static final List<Class<?>> OPTIONS = List.of(
            BlobServerOptions.class,
            CheckpointingOptions.class,
            ClusterOptions.class,
            CoreOptions.class,
            HeartbeatManagerOptions.class,
            HighAvailabilityOptions.class,
            JobManagerOptions.class,
            MetricOptions.class,
            RestOptions.class,
            RestartStrategyOptions.class,
            StateBackendOptions.class,
            TaskManagerOptions.class);

    @Test
    void everyOptionIsKnownAndReadable() throws Exception {
        Map<String, ConfigOption<?>> known = known();
        for (Map.Entry<String, Object> entry :
                RepositoryFiles.yaml("deploy/flink/config.yaml").entrySet()) {
            String key = entry.getKey();
            if (key.startsWith("s3.") || key.startsWith("metrics.reporter.")) {
                continue; // handed on to a plugin, which knows its own
            }
            assertThat(known).containsKey(key);
            assertThat(Configuration.fromMap(Map.of(key, String.valueOf(entry.getValue())))
                            .get(known.get(key)))
                    .as(key)
                    .isNotNull();
        }
    }

    @Test
    void aDeadTaskManagerIsNoticedBeforeFreshnessIsLost() {
        Configuration configuration = new Configuration();
        RepositoryFiles.yaml("deploy/flink/config.yaml")
                .forEach((key, value) -> configuration.setString(key, String.valueOf(value)));
        assertThat(configuration.get(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT))
                .isLessThanOrEqualTo(java.time.Duration.ofSeconds(3));
    }

    /** What stands there has an effect. */
    @Test
    void noOptionIsOneThatTheJobSetsItself() {
        Configuration given = new Configuration();
        given.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay"); // the job has one only where none is given
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(given);
        Set<String> before = env.getConfiguration().toMap().keySet();
        IndexJob.build(
                env,
                IndexJobOptions.parse(
                        "--bootstrap", "localhost:1",
                        "--store", "file:///tmp/tailrace-never-written",
                        "--model", "toy@1,vocabulary=1000,tokenizer=toy"));
        Set<String> sets = new TreeSet<>(env.getConfiguration().toMap().keySet());
        sets.removeAll(before);
        assertThat(sets).contains(CheckpointingOptions.CHECKPOINTING_INTERVAL.key());
        assertThat(RepositoryFiles.yaml("deploy/flink/config.yaml").keySet()).doesNotContainAnyElementsOf(sets);
    }

    /** Java 17 closes them; Flink's own file, which this one replaces in the image, opens them. */
    @Test
    void everyProcessMayReflectOnWhatFlinkSerializes() {
        assertThat(String.valueOf(
                        RepositoryFiles.yaml("deploy/flink/config.yaml").get("env.java.opts.all")))
                .contains("--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.util=ALL-UNNAMED");
    }

    /** The other strategies go by the time of day, and fixed attempts would run out against a TaskManager that stays dead. */
    @Test
    void theJobIsRestartedForEverWhateverTheClockSays() {
        Configuration configuration = new Configuration();
        RepositoryFiles.yaml("deploy/flink/config.yaml")
                .forEach((key, value) -> configuration.setString(key, String.valueOf(value)));
        assertThat(configuration.get(RestartStrategyOptions.RESTART_STRATEGY)).isEqualTo("fixed-delay");
        assertThat(configuration.get(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS))
                .isEqualTo(Integer.MAX_VALUE);
    }

    private static Map<String, ConfigOption<?>> known() throws IllegalAccessException {
        Map<String, ConfigOption<?>> known = new TreeMap<>();
        for (Class<?> options : OPTIONS) {
            for (Field field : options.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())
                        && Modifier.isPublic(field.getModifiers())
                        && ConfigOption.class.isAssignableFrom(field.getType())) {
                    ConfigOption<?> option = (ConfigOption<?>) field.get(null);
                    known.put(option.key(), option);
                }
            }
        }
        return known;
    }
}
