package io.tailrace.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeedsTest {
    private static Properties given(String... namesAndValues) {
        Properties given = new Properties();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            given.setProperty("tailrace.simulation." + namesAndValues[i], namesAndValues[i + 1]);
        }
        return given;
    }

    @Test
    void whatIsGivenIsLived() {
        assertThat(Seeds.of(given())).isEqualTo(new Seeds(0, 200));
        assertThat(Seeds.of(given("from", "5000", "seeds", "10000"))).isEqualTo(new Seeds(5_000, 10_000));
        assertThat(Seeds.of(given("seed", "7", "seeds", "10000"))).isEqualTo(new Seeds(7, 1));
        assertThat(new Seeds(3, 2).stream()).containsExactly(3L, 4L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e4", "10_000", "10,000", "", " 5", "ten"})
    void whatIsNoWholeNumberIsRefused(String text) {
        for (String name : new String[] {"seed", "seeds", "from"}) {
            assertThatThrownBy(() -> Seeds.of(given(name, text)))
                    .hasMessage("-Dtailrace.simulation.%s must be a whole number in digits, as 10000, got \"%s\""
                            .formatted(name, text));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1"})
    void ofNoSeedsNothingIsShown(String count) {
        assertThatThrownBy(() -> Seeds.of(given("seeds", count))).hasMessageContaining("must be at least 1");
    }
}
