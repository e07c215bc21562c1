package io.tailrace.lab.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineReportTest {
    private final ObjectMapper mapper = new ObjectMapper();

    private ObjectNode turn(String drafter, int pass, int block, long millis, int equal) {
        ObjectNode turn = mapper.createObjectNode()
                .put("drafter", drafter)
                .put("number", pass)
                .put("block", block)
                .put("nanos", millis * 1_000_000)
                .put("tokens", 100)
                .put("requests", 4)
                .put("equal", equal)
                .put("steps", 60)
                .put("late", 3)
                .put("step_tokens", 90)
                .put("request_steps", 45)
                .put("drafted", 80)
                .put("accepted", 40);
        turn.putArray("tpot_nanos").add(5_000_000);
        turn.putArray("draft_nanos").add(40_000).add(60_000);
        turn.putArray("step_nanos").add(9_000_000);
        return turn;
    }

    private EngineCell cell(int replicas, long tailraceMillis) {
        EngineCell cell = new EngineCell("30m", 4, replicas, "code");
        for (int pass = 0; pass < 3; pass++) {
            for (int block = 0; block < 2; block++) {
                cell.add(turn("none", pass, block, pass == 0 ? 9_000 : 2_000, 4));
                cell.add(turn("suffix", pass, block, 1_000, 4));
                cell.add(turn("tailrace", pass, block, tailraceMillis, pass == 0 && block == 0 ? 3 : 4));
            }
        }
        return cell;
    }

    @Test
    void theFirstPassCountsForEqualityOnly() {
        EngineCell.Row none = cell(1, 800).rows().get(0);
        assertThat(none.drafter()).isEqualTo("none");
        assertThat(none.tokensPerSecond()).isCloseTo(50, within(1e-9));
        assertThat(new EngineReport(List.of(cell(1, 800))).differing()).isEqualTo(1);
    }

    @Test
    void figuresAreThoseOfTheTurns() {
        EngineCell.Row tailrace = cell(1, 800).rows().get(2);
        assertThat(tailrace.toSuffix().value()).isCloseTo(1.25, within(1e-9));
        assertThat(tailrace.toNone().value()).isCloseTo(2.5, within(1e-9));
        assertThat(tailrace.tokensPerStep()).isCloseTo(2, within(1e-9));
        assertThat(tailrace.acceptanceRate()).isCloseTo(0.5, within(1e-9));
        assertThat(tailrace.draftMicrosP50()).isEqualTo(40);
        assertThat(tailrace.late()).isCloseTo(0.05, within(1e-9));
        assertThat(tailrace.rounds()).isEqualTo(4);
        assertThat(tailrace.trimmed()).isZero();
    }

    @Test
    void theBudgetIsHeldAgainstTheFloorThatDidBest() {
        EngineCell cell = cell(1, 800);
        for (int pass = 0; pass < 3; pass++) {
            for (int block = 0; block < 2; block++) {
                cell.add(turn(EngineCell.floor(0.1), pass, block, 900, 4));
                cell.add(turn(EngineCell.floor(0.3), pass, block, 760, 4));
            }
        }
        assertThat(new EngineReport(List.of(cell, cell(8, 100)))
                        .aloneToBestFloor()
                        .value())
                .isCloseTo(0.95, within(1e-9));
        assertThat(new EngineReport(List.of(cell(1, 800))).aloneToBestFloor()).isNull();
    }

    @Test
    void meansAreGeometricAndApartForReplicas() {
        Map<String, Object> json = new EngineReport(List.of(cell(1, 500), cell(1, 2_000), cell(8, 625))).json();
        assertThat((Double) json.get("aloneToSuffix")).isCloseTo(1, within(1e-9));
        assertThat(((Double) ((List<?>) json.get("aloneInterval")).get(0))).isCloseTo(1, within(1e-9));
        assertThat((Double) json.get("oneOfEightToSuffix")).isCloseTo(1.6, within(1e-9));
        assertThat((Double) json.get("lowestToNone")).isCloseTo(1, within(1e-9));
    }
}
