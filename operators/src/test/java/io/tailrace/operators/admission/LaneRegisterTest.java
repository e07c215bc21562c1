package io.tailrace.operators.admission;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LaneRegisterTest {
    private static final long SEED = 20_261_121L;

    private KeyedTwoInputStreamOperatorTestHarness<String, OfferedGeneration, LaneSignal, OfferedGeneration> harness;

    private static KeyedTwoInputStreamOperatorTestHarness<String, OfferedGeneration, LaneSignal, OfferedGeneration>
            harness(int lanesMax) throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(new LaneRegister(lanesMax, BoundTopics.only("generations"))),
                arrival -> LaneRegister.KEY,
                lane -> LaneRegister.KEY,
                Types.STRING);
    }

    @BeforeEach
    void openWithTwoPlaces() throws Exception {
        harness = harness(2);
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private void restore(int lanesMax) throws Exception {
        OperatorSubtaskState checkpoint = harness.snapshot(1, 1);
        harness.close();
        harness = harness(lanesMax);
        harness.initializeState(checkpoint);
        harness.open();
    }

    private static String lane(int scope) {
        return new LaneId("toy", "1", "scope-" + scope).toString();
    }

    private void arrive(String lane) throws Exception {
        AdmittedGeneration generation = Samples.generation(lane, 0, "request", 5, 1, 2);
        harness.processElement1(new StreamRecord<>(new OfferedGeneration(generation, 0, 0, null)));
    }

    private void announce(String lane) throws Exception {
        harness.processElement2(new StreamRecord<>(new LaneSignal(LaneSignal.Kind.SNAPSHOT, lane, 7, 7, 0, null)));
    }

    private <T> List<T> side(OutputTag<T> tag) {
        List<T> values = new ArrayList<>();
        if (harness.getSideOutput(tag) != null) {
            harness.getSideOutput(tag).forEach(record -> values.add(record.getValue()));
        }
        return values;
    }

    private List<String> admitted() {
        return harness.extractOutputValues().stream()
                .map(offered -> offered.generation().lane())
                .toList();
    }

    private List<Rejection> rejected() throws Exception {
        List<Rejection> rejections = new ArrayList<>();
        for (RejectedRecord record : side(RejectedRecord.OUTPUT)) {
            rejections.add(RecordCodec.REJECTION.decode(record.record().value()));
        }
        return rejections;
    }

    @Test
    void aLaneBeyondTheLimitIsRefusedWithItsPlaceAndThoseThatAreThereGoOn() throws Exception {
        arrive(LANE);
        arrive(OTHER_LANE);
        arrive(lane(3));
        arrive(LANE);
        assertThat(admitted()).containsExactly(LANE, OTHER_LANE, LANE);
        assertThat(rejected()).singleElement().satisfies(rejection -> {
            assertThat(rejection.getReason()).isEqualTo(RejectionReason.LANES_EXCEEDED);
            assertThat(rejection.getLane().getScope()).isEqualTo("scope-3");
            assertThat(rejection.getTopic()).isEqualTo("generations");
            assertThat(rejection.getDetail()).contains("2 lanes").contains("--lanes-max");
        });
    }

    @Test
    void aLaneThatWasAnnouncedGoesOnThoughNoPlaceIsFree() throws Exception {
        arrive(lane(1));
        arrive(lane(2));
        announce(LANE);
        arrive(LANE);
        arrive(lane(3));
        assertThat(admitted()).containsExactly(lane(1), lane(2), LANE);
        assertThat(rejected()).hasSize(1);
    }

    @Test
    void aLimitSetLowerStopsNoLaneAndOneSetHigherLetsNewOnesIn() throws Exception {
        arrive(lane(1));
        arrive(lane(2));
        restore(1);
        arrive(lane(1));
        arrive(lane(2));
        arrive(lane(3));
        assertThat(admitted()).containsExactly(lane(1), lane(2));
        assertThat(rejected()).hasSize(1);
        restore(3);
        arrive(lane(3));
        arrive(lane(4));
        assertThat(admitted()).containsExactly(lane(3));
        assertThat(rejected()).hasSize(1);
    }

    /** The dull twin: the first so many lanes that arrived, and all that were announced. */
    @Test
    void whateverComesAndHoweverOftenItIsRestoredEachRecordIsAdmittedOrRefusedByThePlacesThereAre() throws Exception {
        Random random = new Random(SEED);
        for (int run = 0; run < 40; run++) {
            int lanesMax = 1 + random.nextInt(8);
            harness.close();
            harness = harness(lanesMax);
            harness.open();
            Set<String> held = new LinkedHashSet<>();
            for (int step = 0; step < 200; step++) {
                String lane = lane(random.nextInt(16));
                boolean admit = held.contains(lane) || held.size() < lanesMax;
                int admittedBefore = admitted().size();
                int rejectedBefore = side(RejectedRecord.OUTPUT).size();
                switch (random.nextInt(40)) {
                    case 0 -> {
                        announce(lane);
                        held.add(lane);
                    }
                    case 1 -> restore(lanesMax);
                    default -> {
                        arrive(lane);
                        String place = "seed %d run %d step %d".formatted(SEED, run, step);
                        assertThat(admitted()).as(place).hasSize(admittedBefore + (admit ? 1 : 0));
                        assertThat(side(RejectedRecord.OUTPUT)).as(place).hasSize(rejectedBefore + (admit ? 0 : 1));
                        if (admit) {
                            held.add(lane);
                        }
                    }
                }
            }
        }
    }
}
