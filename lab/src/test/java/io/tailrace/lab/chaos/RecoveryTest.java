package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RecoveryTest {
    private static final String WORKER = "worker-1";
    private static final Observation AT_HEAL = seen(Map.of("acme", 7L, "zenith", 4L), 7, 30);

    private static Observation seen(Map<String, Long> announced, long acmeServed, long toldBytes) {
        return new Observation(
                announced, Map.of(WORKER, Map.of("acme", acmeServed, "zenith", 4L)), Map.of(WORKER, toldBytes));
    }

    private static Recovery of(Struck struck) {
        return new Recovery(struck, AT_HEAL);
    }

    @Test
    void theJobRecoversWithANewerVersionOfAnyLane() {
        assertThat(of(Struck.JOB).missing(AT_HEAL)).containsExactly("no newer version");
        assertThat(of(Struck.JOB).missing(seen(Map.of("acme", 7L, "zenith", 5L), 7, 30)))
                .isEmpty();
        assertThat(of(Struck.JOB).missing(seen(Map.of("acme", 7L, "zenith", 4L, "new", 1L), 7, 30)))
                .isEmpty();
    }

    @Test
    void aStruckLaneRecoversWithANewerVersionOfItsOwn() {
        Observation other = seen(Map.of("acme", 8L, "zenith", 4L), 7, 30);
        assertThat(of(Struck.lane("zenith")).missing(other)).containsExactly("no newer version of zenith");
        assertThat(of(Struck.lane("acme")).missing(other)).isEmpty();
    }

    @Test
    void aWorkerThatAnswersAndServesWhatItHadHasNotRecovered() {
        Observation announced = seen(Map.of("acme", 8L, "zenith", 4L), 7, 40);
        assertThat(of(Struck.process(WORKER)).missing(announced)).containsExactly("worker-1 serves no newer version");
    }

    @Test
    void aWorkerThatFollowsAndDoesNotAnswerHasNotRecovered() {
        Observation follows = seen(Map.of("acme", 8L, "zenith", 4L), 8, 30);
        assertThat(of(Struck.process(WORKER)).missing(follows)).containsExactly("worker-1 tells no answer");
    }

    @Test
    void aWorkerThatAnswersAndFollowsHasRecovered() {
        Observation both = seen(Map.of("acme", 8L, "zenith", 4L), 8, 40);
        assertThat(of(Struck.process(WORKER)).missing(both)).isEmpty();
    }

    @Test
    void whoeverNeedsTheBrokerHasToWorkAgain() {
        Observation one = seen(Map.of("acme", 8L, "zenith", 4L), 8, 40);
        assertThat(of(Struck.process(Installation.BROKER)).missing(one))
                .containsExactly("worker-2 tells no answer", "worker-2 serves no newer version");
        assertThat(Struck.process(Installation.taskManager(0))).isEqualTo(Struck.JOB);
    }

    @Test
    void aWorkerIsBehindInEachLaneThatItDoesNotServeInItsNewest() {
        assertThat(seen(Map.of("acme", 8L, "zenith", 4L), 8, 0).behind())
                .containsExactly(
                        "worker-2 serves version 0 of acme, announced is 8",
                        "worker-2 serves version 0 of zenith, announced is 4");
    }
}
