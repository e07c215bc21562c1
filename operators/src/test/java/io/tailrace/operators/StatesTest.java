package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.state.StateCodec;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of state, drawn at random, is read as it was written: schemas and classes fit together. */
final class StatesTest {
    private static final long SEED = 20_261_122L;

    private final DrawnStates states = new DrawnStates(SEED);

    static Stream<Arguments> states() {
        return DrawnStates.kinds().entrySet().stream().map(kind -> Arguments.of(kind.getValue(), kind.getKey()));
    }

    @ParameterizedTest
    @MethodSource("states")
    <T> void randomStatesAreReadAsTheyWereWritten(Class<T> type, String name) {
        StateCodec<T> codec = new StateCodec<>(type, name);
        for (int i = 0; i < 50; i++) {
            T drawn = states.draw(type);
            assertThat(codec.decode(codec.encode(drawn)))
                    .as("%s %d of seed %d", name, i, SEED)
                    .usingRecursiveComparison()
                    .isEqualTo(drawn);
        }
    }
}
