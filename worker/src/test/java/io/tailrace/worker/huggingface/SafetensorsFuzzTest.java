package io.tailrace.worker.huggingface;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import io.tailrace.worker.model.ModelLoadException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files of weights. Where the first byte is an F, the rest is the header and the file is made around it: its length before it, so many bytes of
 * data behind it.
 */
class SafetensorsFuzzTest {
    private static final int DATA_BYTES = 64;

    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() {
        String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
                + "\"b\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[24,26]},\"__metadata__\":{\"format\":\"pt\"}}";
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                ("F" + header).getBytes(StandardCharsets.UTF_8),
                "F{\"c\":{\"dtype\":\"F16\",\"shape\":[9223372036854775807,2],\"data_offsets\":[0,-2]}}"
                        .getBytes(StandardCharsets.UTF_8),
                "F{\"d\":{\"dtype\":\"F16\",\"shape\":{\"x\":1},\"data_offsets\":{}}}".getBytes(StandardCharsets.UTF_8),
                file(json));
    }

    private static byte[] file(byte[] header) {
        return ByteBuffer.allocate(Long.BYTES + header.length + DATA_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .array();
    }

    @MethodSource("seeds")
    @FuzzTest
    void weightsAreReadOrRefused(byte[] data) throws Exception {
        boolean isHeader = data.length > 0 && data[0] == 'F';
        byte[] bytes = isHeader ? file(Arrays.copyOfRange(data, 1, data.length)) : data;
        Path file = Files.write(folder.resolve("model.safetensors"), bytes);
        try {
            for (StoredTensor tensor : AllocationLimit.check(bytes.length, () -> SafetensorsFile.read(file))
                    .values()) {
                check(tensor, bytes.length);
            }
        } catch (ModelLoadException refused) {
            assertThat(refused).hasMessageContaining(file.toString());
        }
    }

    private static void check(StoredTensor tensor, int fileBytes) {
        assertThat(tensor.offset()).isBetween((long) Long.BYTES, (long) fileBytes);
        assertThat(tensor.offset() + tensor.size() * tensor.type().bytes())
                .isBetween(tensor.offset(), (long) fileBytes);
        assertThat(tensor.floats()).hasSize((int) tensor.size());
    }
}
