package io.tailrace.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.operators.OperatorIds;
import io.tailrace.operators.timers.SteadyOperatorFactory;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;

/** The wiring, without a broker: building the graph makes every serializer, and generic types are off. */
final class IndexJobTest {
    private static StreamGraph graph() {
        return graph(2);
    }

    private static StreamGraph graph(int parallelism) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism);
        IndexJob.build(
                env,
                IndexJobOptions.parse(
                        "--bootstrap", "localhost:1",
                        "--store", "file:///tmp/tailrace-never-written",
                        "--model", "toy@1,vocabulary=1000,tokenizer=toy"));
        return env.getStreamGraph();
    }

    private static List<String> declaredIds() throws IllegalAccessException {
        List<String> ids = new ArrayList<>();
        for (Field field : OperatorIds.class.getFields()) {
            ids.add((String) field.get(null));
        }
        return ids;
    }

    @Test
    void everyOperatorHasOneOfTheDeclaredUidsAndEveryDeclaredUidIsUsed() throws Exception {
        List<String> used = graph().getStreamNodes().stream()
                .map(StreamNode::getTransformationUID)
                .filter(uid -> uid != null && !uid.startsWith("Sink Committer: "))
                .toList();
        assertThat(used).containsExactlyInAnyOrderElementsOf(declaredIds());
        assertThat(graph().getStreamNodes())
                .allSatisfy(node -> assertThat(node.getTransformationUID())
                        .as("uid of %s", node.getOperatorName())
                        .isNotNull());
    }

    @Test
    void theMaximumParallelismNeverChanges() {
        assertThat(IndexJob.MAX_PARALLELISM).isEqualTo(128);
        assertThat(graph().getStreamNodes().stream()
                        .filter(n -> n.getTransformationUID().equals(OperatorIds.LANE_PUBLISHER)))
                .allSatisfy(node -> assertThat(node.getMaxParallelism()).isEqualTo(128));
    }

    /** A cluster that has the job already would start it again and again. */
    @Test
    void moreTasksThanPartsOfItsStateAreRefusedBeforeItIsSubmitted() {
        assertThatThrownBy(() -> graph(IndexJob.MAX_PARALLELISM + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parallelism must be at most 128")
                .hasMessageContaining("got 129");
        assertThat(graph(IndexJob.MAX_PARALLELISM).getStreamNodes()).isNotEmpty();
    }

    /** A strategy that goes by the time of day waits for a day where a clock was a day ahead. */
    @Test
    void itIsRestartedForEverWhateverTheClockSays() {
        ReadableConfig configuration = graph().getJobConfiguration();
        assertThat(configuration.get(RestartStrategyOptions.RESTART_STRATEGY)).isEqualTo("fixed-delay");
        assertThat(configuration.get(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS))
                .isEqualTo(Integer.MAX_VALUE);
    }

    /** Flink's own operators wait for the time of day, however it jumps. */
    @Test
    void functionsWithTimersHaveSteadyOnes() {
        assertThat(graph().getStreamNodes().stream()
                        .filter(node -> node.getOperatorFactory() instanceof SteadyOperatorFactory)
                        .map(StreamNode::getTransformationUID))
                .containsExactlyInAnyOrder(
                        OperatorIds.SHARD_INTAKE,
                        OperatorIds.LANE_PUBLISHER,
                        OperatorIds.EVALUATOR,
                        OperatorIds.DRIFT_WATCH,
                        OperatorIds.OUTCOME_AGGREGATION,
                        OperatorIds.ADMISSION_TALLY);
    }

    /** What people see of it: the dashboard's boxes, and label task_name of each of its metrics. */
    @Test
    void itsTasksAreTheseByTheirNames() {
        List<String> names = new ArrayList<>();
        graph().getJobGraph().getVertices().forEach(vertex -> names.add(vertex.getName()));
        assertThat(names)
                .hasSize(17)
                .containsExactlyInAnyOrder(
                        "Source: generations",
                        "admission",
                        "lane register",
                        "admission tally",
                        "rejections -> rejections: Writer -> rejections: Committer",
                        "shard intake -> (shard progress, admitted: Writer -> admitted: Committer)",
                        "evaluator -> learning",
                        "Source: outcomes -> outcome decoding",
                        "outcome aggregation -> lane outcomes",
                        "drift watch -> drift",
                        "lane publisher -> snapshots: Writer -> snapshots: Committer",
                        "events: Writer -> events: Committer",
                        "Source: control -> control decoding",
                        "Source: control -> claims decoding -> single job",
                        "Source: events -> events decoding -> events epochs",
                        "Source: snapshots -> snapshots decoding -> (snapshots epochs -> announced lanes, announced versions)",
                        "Source: workers -> workers decoding");
    }

    /** What no job so far has announced reaches the publisher alone, which withdraws it. */
    @Test
    void onlyThePublisherHearsOfAnnouncementsOfEveryEpoch() {
        StreamGraph graph = graph();
        List<String> readers = graph.getStreamNodes().stream()
                .filter(node -> node.getInEdges().stream()
                        .map(edge -> graph.getStreamNode(edge.getSourceId()).getTransformationUID())
                        .anyMatch(List.of(OperatorIds.SNAPSHOTS_DECODING, OperatorIds.EVENTS_DECODING)::contains))
                .map(StreamNode::getTransformationUID)
                .toList();
        assertThat(readers)
                .containsExactlyInAnyOrder(
                        OperatorIds.SNAPSHOTS_INPUT, OperatorIds.SNAPSHOTS_EPOCHS, OperatorIds.EVENTS_EPOCHS);
    }
}
