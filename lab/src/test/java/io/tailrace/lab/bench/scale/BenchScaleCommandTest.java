package io.tailrace.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.bench.scale.ScalePoint.Grows;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchScaleCommandTest {
    private static ScalePoint point(int lanes, double cores, boolean settled) {
        return new ScalePoint(
                Grows.LANES,
                lanes,
                lanes,
                0,
                100,
                1,
                cores,
                80_000_000,
                1_234_000_000,
                2_000_000,
                10,
                3e6,
                1,
                1e5,
                2,
                3,
                4e3,
                5e3,
                6e3,
                7,
                8e6,
                9_100,
                900,
                2_900,
                settled ? 4.5 : 900,
                settled);
    }

    private static String printed(ScalePoint... points) {
        StringWriter text = new StringWriter();
        BenchScaleCommand.print(List.of(points), new PrintWriter(text));
        return text.toString();
    }

    /** One point that a machine was too small for must not take the others' figures along. */
    @Test
    void aPointThatDidNotSettleIsARowThatSaysSo() {
        assertThat(printed(point(1, 1, true), point(10, 1.9, false)).lines())
                .anyMatch(row -> row.matches("lanes +1 +1\\.00 .* 4\\.5"))
                .anyMatch(row -> row.matches("lanes +10 +1\\.90 .* not in 900\\.0"));
    }

    @Test
    void noPowerIsTakenFromAPointThatDidNotSettle() {
        Map<String, Double> powers = BenchScaleCommand.exponents(
                        List.of(point(1, 1, true), point(10, 10, true), point(100, 20, false)))
                .get(Grows.LANES);
        assertThat(powers.get("jobCores")).isCloseTo(1, within(1e-9));
        assertThat(powers.get("jobPeakResidentBytes")).isCloseTo(0, within(1e-9));
    }

    @Test
    void aLaneAtRestCostsWhatIsMoreThanBesideTheSameTraffic() {
        ScalePoint cold = new ScalePoint(
                Grows.COLD,
                900,
                100,
                900,
                100,
                1,
                1.9,
                170_000_000,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                4,
                true);
        Map<Grows, Map<String, Double>> costs =
                BenchScaleCommand.perUnit(List.of(point(1, 0.5, true), point(100, 1, true), cold));
        assertThat(costs.get(Grows.COLD).get("jobCores")).isCloseTo(0.001, within(1e-9));
        assertThat(costs.get(Grows.COLD).get("jobHeapBytes")).isCloseTo(1e5, within(1e-3));
        assertThat(costs.get(Grows.LANES).get("jobCores")).isCloseTo(0.5 / 99, within(1e-9));
        assertThat(costs.get(Grows.RATE).get("jobCores")).isNull();
        assertThat(printed(point(1, 0.5, true), cold)).contains("of a lane at rest");
    }

    @Test
    void peakMemoryAndWhatAFollowerReceivesArePrintedAndWritten() {
        assertThat(printed(point(1, 1, true))).contains("1234", "from Kafka kB/s", "9.1");
        JsonNode written = new ObjectMapper().valueToTree(point(1, 1, true));
        assertThat(written.get("jobPeakResidentBytes").asLong()).isEqualTo(1_234_000_000);
        assertThat(written.get("followerKafkaBytesPerSecond").asDouble()).isEqualTo(9_100);
        assertThat(written.get("settled").asBoolean()).isTrue();
    }
}
