package io.tailrace.lab.bench.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AttackerTest {
    @Test
    void aStreamIsReadAsACallerSeesIt() throws IOException {
        Attacker.Reading reading = new Attacker.Reading(1_000);
        reading.line("data: {\"choices\":[{\"text\":\"a b\"}]}", 3_000);
        reading.line("", 3_100);
        reading.line("data: {\"choices\":[{\"text\":\"\"}]}", 4_000);
        reading.line("data: {\"choices\":[{\"text\":\" c\"}]}", 5_000);
        reading.line("data: {\"choices\":[{\"text\":\" d\"}]}", 11_000);
        reading.line(
                "data: {\"choices\":[{\"text\":\"\",\"finish_reason\":\"length\"}],\"tailrace\":{\"steps\":3,\"accepted\":2}}",
                12_000);
        reading.line("data: {\"choices\":[],\"usage\":{\"completion_tokens\":5}}", 12_100);
        reading.line("data: [DONE]", 12_200);
        assertThat(reading.observation()).isEqualTo(new Observation(5, 3, 10_000, 4_000, 2, 3));
    }

    @Test
    void anErrorInPlaceOfAStreamIsNoObservation() {
        Attacker.Reading reading = new Attacker.Reading(0);
        assertThatThrownBy(() -> reading.line("{\"error\":{\"message\":\"no\"}}", 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no stream came");
    }

    @Test
    void tokensCountUntilTheFirstWrongOneAndPositionsBehindItForTheShareAlone() {
        Extraction.Count count = new Extraction.Count();
        count.add(new boolean[] {true, true, false, true});
        count.add(new boolean[] {false, true, true, true});
        count.add(new boolean[] {true, true, true, true});
        assertThat(count.right()).isEqualTo(10 / 12.0);
        assertThat(count.rightOnThread()).isEqualTo(6);
        assertThat(count.positionsOnThread()).isEqualTo(3 + 1 + 4);
    }
}
