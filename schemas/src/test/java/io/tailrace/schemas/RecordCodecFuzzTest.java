package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of record. The first byte says which codec reads the rest, and whether the codec's own header is put before it: nobody
 * guesses a fingerprint.
 */
class RecordCodecFuzzTest {
    private static final List<RecordCodec<?>> CODECS = Samples.all().keySet().stream()
            .sorted(Comparator.comparing(RecordCodec::name))
            .toList();
    private static final int WITH_HEADER = 0x80;

    static Stream<byte[]> seeds() {
        return IntStream.range(0, CODECS.size()).boxed().flatMap(RecordCodecFuzzTest::seeds);
    }

    private static Stream<byte[]> seeds(int index) {
        RecordCodec<?> codec = CODECS.get(index);
        byte[] whole = encode(codec, Samples.all().get(codec));
        byte[] body = Arrays.copyOfRange(whole, RecordCodec.HEADER_BYTES, whole.length);
        return Stream.of(concat((byte) index, whole), concat((byte) (index | WITH_HEADER), body));
    }

    private static byte[] concat(byte first, byte[] rest) {
        return concat(new byte[] {first}, rest);
    }

    @MethodSource("seeds")
    @FuzzTest
    void aRecordIsReadOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        RecordCodec<?> codec = CODECS.get((data[0] & ~WITH_HEADER & 0xFF) % CODECS.size());
        byte[] rest = Arrays.copyOfRange(data, 1, data.length);
        check(codec, (data[0] & WITH_HEADER) == 0 ? rest : concat(header(codec), rest));
    }

    private static <T extends SpecificRecord> void check(RecordCodec<T> codec, byte[] bytes) throws Exception {
        T record;
        try {
            record = AllocationLimit.check(bytes.length, () -> codec.decode(bytes));
        } catch (UndecodableRecordException expected) {
            assertThat(expected).hasMessageContaining(codec.name());
            return;
        }
        // Compared as bytes: Avro holds no NaN equal to itself.
        byte[] again = codec.encode(record);
        assertThat(codec.encode(codec.decode(again))).isEqualTo(again);
        assertThat(codec.encode(RecordCodecTest.byAvro(record, bytes))).isEqualTo(again);
    }

    private static byte[] header(RecordCodec<?> codec) {
        return Arrays.copyOf(encode(codec, Samples.all().get(codec)), RecordCodec.HEADER_BYTES);
    }

    @SuppressWarnings("unchecked")
    private static <T extends SpecificRecord> byte[] encode(RecordCodec<T> codec, SpecificRecord datum) {
        return codec.encode((T) datum);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
