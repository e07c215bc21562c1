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
import java.util.Arrays;
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
            harness(int lanesMax, String... bound) throws Exception {
        BoundTopics topics = new BoundTopics(
                "generations",
                Arrays.stream(bound)
                        .map(text -> BoundTopics.Bound.parse(text, "generations"))
                        .toList());
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(new LaneRegister(lanesMax, topics)),
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

    private void restore(int lanesMax, String... bound) throws Exception {
        OperatorSubtaskState checkpoint = harness.snapshot(1, 1);
        harness.close();
        harness = harness(lanesMax, bound);
        harness.initializeState(checkpoint);
        harness.open();
    }

    private void openWith(int lanesMax, String... bound) throws Exception {
        harness.close();
        harness = harness(lanesMax, bound);
        harness.open();
    }

    private static String of(String party, int scope) {
        return new LaneId("toy", "1", party + "-" + scope).toString();
    }

    /** Lets lanes of new scopes come; returns how many are admitted. */
    private int come(String party, int from, int to) throws Exception {
        int before = admitted().size();
        for (int scope = from; scope < to; scope++) {
            arrive(of(party, scope));
        }
        return admitted().size() - before;
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

    @Test
    void scopesThatAreInventedOnEverybodysTopicLeaveThePlacesOfBoundOnes() throws Exception {
        String[] bound = {"acme=acme-*", "beta=beta-*"};
        openWith(12, bound);
        assertThat(come("invented", 0, 50)).as("12 but two shares of 2").isEqualTo(8);
        assertThat(rejected().get(0).getDetail()).contains("8 lanes and keeps 4 places", "--lanes-max");
        restore(12, bound);
        assertThat(come("invented", 50, 60)).isZero();
        assertThat(come("acme", 0, 5)).as("its share").isEqualTo(2);
        assertThat(rejected().get(rejected().size() - 1).getDetail()).contains("10 lanes and keeps 2 places");
        restore(12, bound);
        assertThat(come("acme", 5, 9)).isZero();
        assertThat(come("beta", 0, 5)).isEqualTo(2);
        assertThat(rejected().get(rejected().size() - 1).getDetail()).contains("12 lanes, this");
    }

    @Test
    void aBoundTopicMayHaveMoreThanItsShareAndLeavesTheOthersTheirs() throws Exception {
        openWith(12, "acme=acme-*", "beta=beta-*");
        assertThat(come("acme", 0, 50)).as("12 but the other's share of 2").isEqualTo(10);
        assertThat(come("invented", 0, 50)).isZero();
        assertThat(come("beta", 0, 50)).isEqualTo(2);
        arrive(of("acme", 3));
        assertThat(admitted()).hasSize(13);
    }

    @Test
    void aLaneThatWasAnnouncedCountsForItsTopicAndNeverAsFree() throws Exception {
        openWith(8, "acme=acme-*");
        announce(of("acme", 1));
        announce(of("acme", 1));
        assertThat(come("invented", 0, 50))
                .as("8 but one there, and one of the share of 2")
                .isEqualTo(6);
        assertThat(come("acme", 2, 9)).isEqualTo(1);
    }

    /** A topic that is bound later finds what is left; the limit holds. */
    @Test
    void aTopicThatIsBoundLaterGetsPlacesAsTheLimitRises() throws Exception {
        openWith(8);
        assertThat(come("invented", 0, 50)).isEqualTo(8);
        restore(8, "acme=acme-*");
        assertThat(come("acme", 0, 5)).isZero();
        restore(11, "acme=acme-*");
        assertThat(come("invented", 50, 60))
                .as("11 but 8 there, and the share of 2")
                .isEqualTo(1);
        assertThat(come("acme", 5, 9)).isEqualTo(2);
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
