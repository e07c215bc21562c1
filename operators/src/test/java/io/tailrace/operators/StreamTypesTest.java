package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.publishing.LaneMessage;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.runtime.PojoSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What flows from task to task: POJOs all the way down, no Kryo. */
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
                ShardProgress.class,
                LaneOutcome.class,
                LaneMessage.class,
                EvaluationSample.class,
                DriftWatch.Observation.class,
                LaneSignal.class,
                LearningReport.class,
                DriftWatch.Report.class
            })
    void everyTypeIsAPojoWithoutGenericParts(Class<?> type) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        TypeSerializer<?> serializer =
                TypeInformation.of(type).createSerializer(new SerializerConfigImpl(configuration));
        assertThat(serializer).isInstanceOf(PojoSerializer.class);
    }
}
