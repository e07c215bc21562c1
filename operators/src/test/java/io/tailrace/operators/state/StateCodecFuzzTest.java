package io.tailrace.operators.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.operators.DrawnStates;
import io.tailrace.testkit.AllocationLimit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** States as a checkpoint gives them back: the first byte says of which kind, whose header is put before the rest. */
final class StateCodecFuzzTest {
    private static final int HEADER_BYTES = 10;
    private static final int SEEDS_EACH = 3;
    private static final List<Kind<?>> KINDS =
            DrawnStates.kinds().entrySet().stream().<Kind<?>>map(Kind::of).toList();

    /**
     * A kind of state.
     *
     * @param seeds states of it, written
     */
    private record Kind<R>(StateCodec<R> codec, List<byte[]> seeds) {
        static Kind<?> of(Map.Entry<String, Class<?>> kind) {
            return of(kind.getKey(), kind.getValue());
        }

        private static <R> Kind<R> of(String name, Class<R> type) {
            StateCodec<R> codec = new StateCodec<>(type, name);
            DrawnStates states = new DrawnStates(1);
            return new Kind<>(
                    codec,
                    Stream.generate(() -> codec.encode(states.draw(type)))
                            .limit(SEEDS_EACH)
                            .toList());
        }

        /** Its first byte is replaced by which kind it is of. */
        Stream<byte[]> inputs(int index) {
            return seeds.stream().map(seed -> {
                byte[] input = new byte[seed.length - HEADER_BYTES + 1];
                input[0] = (byte) index;
                System.arraycopy(seed, HEADER_BYTES, input, 1, input.length - 1);
                return input;
            });
        }

        void check(byte[] input) throws Exception {
            byte[] bytes = new byte[HEADER_BYTES + input.length - 1];
            System.arraycopy(seeds.get(0), 0, bytes, 0, HEADER_BYTES);
            System.arraycopy(input, 1, bytes, HEADER_BYTES, input.length - 1);
            R read;
            try {
                read = AllocationLimit.check(bytes.length, () -> codec.decode(bytes));
            } catch (IllegalStateException refused) {
                assertThat(refused).hasMessageContaining("restore with the release that wrote them");
                return;
            }
            assertThat(codec.decode(codec.encode(read)))
                    .usingRecursiveComparison()
                    .withEqualsForType(Float::equals, Float.class) // NaN is itself
                    .withEqualsForType(Double::equals, Double.class)
                    .isEqualTo(read);
        }
    }

    static Stream<byte[]> seeds() {
        return IntStream.range(0, KINDS.size())
                .boxed()
                .flatMap(index -> KINDS.get(index).inputs(index));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aStateIsReadOrRefused(byte[] input) throws Exception {
        if (input.length > 0) {
            KINDS.get(Byte.toUnsignedInt(input[0]) % KINDS.size()).check(input);
        }
    }
}
