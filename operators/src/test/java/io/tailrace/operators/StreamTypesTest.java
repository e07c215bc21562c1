package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.indexing.HashChunk;
import io.tailrace.operators.indexing.ShardCounters;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.learning.DriftReport;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.learning.LearningState;
import io.tailrace.operators.learning.ReplicaState;
import io.tailrace.operators.outcomes.CostState;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.outcomes.VerificationTotals;
import io.tailrace.operators.publishing.LaneInput;
import io.tailrace.operators.publishing.LaneState;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneObservation;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.suffix.learn.DriftState;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.runtime.PojoSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What flows and what is checkpointed can evolve: POJOs all the way down, no Kryo. */
final class StreamTypesTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                RawRecord.class,
                OutgoingRecord.class,
                RejectedRecord.class,
                AdmittedGeneration.class,
                OfferedGeneration.class,
                ControlCommand.class,
                ShardCounters.class,
                HashChunk.class,
                ShardProgress.class,
                LaneOutcome.class,
                VerificationTotals.class,
                LaneInput.class,
                LaneState.class,
                CostState.class,
                EvaluationSample.class,
                LaneObservation.class,
                LaneSignal.class,
                LearningReport.class,
                ReplicaState.class,
                DriftReport.class,
                DriftState.class,
                LearningState.class
            })
    void everyTypeIsAPojoWithoutGenericParts(Class<?> type) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        TypeSerializer<?> serializer =
                TypeInformation.of(type).createSerializer(new SerializerConfigImpl(configuration));
        assertThat(serializer).isInstanceOf(PojoSerializer.class);
    }

    /** Flink writes the names of classes into savepoints: one that moves makes them unreadable. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "operators.admission.AdmittedGeneration",
                "operators.control.ControlCommand",
                "operators.control.Tombstone",
                "operators.indexing.FlushedSegment",
                "operators.indexing.HashChunk",
                "operators.indexing.ShardCounters",
                "operators.learning.DriftReport",
                "operators.learning.LearningReport",
                "operators.learning.LearningState",
                "operators.learning.EvaluationTotals",
                "operators.learning.ReplicaState",
                "operators.learning.RetentionCandidate",
                "operators.learning.RetentionCandidate$Reason",
                "operators.outcomes.CostState",
                "operators.outcomes.CostState$ClassCosts",
                "operators.outcomes.VerificationTotals",
                "operators.outcomes.StepCost",
                "operators.policy.LanePolicy",
                "operators.publishing.LaneState",
                "operators.publishing.LiveSegment",
                "operators.publishing.RetainedVersion",
                "operators.publishing.ShardStanding",
                "operators.publishing.WorkerReport",
                "operators.signals.LaneSignal",
                "operators.signals.LaneSignal$Kind",
                "operators.store.StoredSegment",
                "suffix.learn.DriftState",
                "suffix.learn.PolicyTrial$State"
            })
    void whatSavepointsNameIsWhereItWas(String name) {
        assertThatCode(() -> Class.forName("io.tailrace." + name)).doesNotThrowAnyException();
    }
}
