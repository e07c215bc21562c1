package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The table of contents of a safetensors file, checked against the file's length.
 *
 * <pre>
 * bytes          what
 * 8              N, length of the header, little-endian
 * N              JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ..., "__metadata__": {...}}
 * rest           the tensors' bytes; offsets count from here
 * </pre>
 */
final class SafetensorsFile {
    private static final int LENGTH_BYTES = 8;
    private static final int HEADER_BYTES_MAX = 100_000_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();

    private SafetensorsFile(Path file) {
        this.file = file;
    }

    /** The file's tensors by name. */
    static Map<String, StoredTensor> read(Path file) {
        SafetensorsFile contents = new SafetensorsFile(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            contents.readHeader(channel);
        } catch (JsonProcessingException e) {
            throw contents.broken("its header is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw contents.broken(e.getMessage());
        }
        return contents.tensors;
    }

    private void readHeader(FileChannel channel) throws IOException {
        long fileBytes = channel.size();
        require(
                fileBytes >= LENGTH_BYTES,
                "it has %d bytes, a header needs at least %d".formatted(fileBytes, LENGTH_BYTES));
        long headerBytes = read(channel, 0, LENGTH_BYTES).getLong();
        require(
                headerBytes > 0 && headerBytes <= HEADER_BYTES_MAX && headerBytes <= fileBytes - LENGTH_BYTES,
                "its header says it has %d bytes, the file has %d; it is truncated or no safetensors file"
                        .formatted(headerBytes, fileBytes));
        JsonNode header =
                JSON.readTree(read(channel, LENGTH_BYTES, (int) headerBytes).array());
        long dataBytes = fileBytes - LENGTH_BYTES - headerBytes;
        header.properties().forEach(entry -> {
            if (!entry.getKey().equals("__metadata__")) {
                add(entry.getKey(), entry.getValue(), LENGTH_BYTES + headerBytes, dataBytes);
            }
        });
    }

    private void add(String name, JsonNode entry, long dataStart, long dataBytes) {
        long begin = entry.path("data_offsets").path(0).asLong(-1);
        long end = entry.path("data_offsets").path(1).asLong(-1);
        StoredTensor.Type type = type(name, entry.path("dtype").asText());
        long[] shape = shape(name, entry.path("shape"));
        StoredTensor tensor = new StoredTensor(file, name, type, shape, dataStart + begin);
        require(
                begin >= 0 && end >= begin && end - begin == bytes(tensor),
                "tensor %s of shape %s lies at bytes %d to %d, that is not its size"
                        .formatted(name, entry.path("shape"), begin, end));
        require(
                end <= dataBytes,
                "tensor %s ends at data byte %d, the file has %d; it is truncated, fetch it again"
                        .formatted(name, end, dataBytes));
        tensors.put(name, tensor);
    }

    private long[] shape(String name, JsonNode dimensions) {
        require(dimensions.isArray(), "tensor " + name + " has no list of dimensions");
        long[] shape = new long[dimensions.size()];
        for (int dimension = 0; dimension < shape.length; dimension++) {
            shape[dimension] = dimensions.get(dimension).asLong(-1);
            require(shape[dimension] >= 0, "tensor " + name + " has a negative dimension");
        }
        return shape;
    }

    private long bytes(StoredTensor tensor) {
        try {
            return Math.multiplyExact(tensor.size(), tensor.type().bytes());
        } catch (ArithmeticException e) {
            throw broken("tensor %s of shape %s has more bytes than any file"
                    .formatted(tensor.name(), Arrays.toString(tensor.shape())));
        }
    }

    private StoredTensor.Type type(String name, String dtype) {
        for (StoredTensor.Type type : StoredTensor.Type.values()) {
            if (type.name().equals(dtype)) {
                return type;
            }
        }
        throw broken("tensor %s has type %s, known are F32, F16 and BF16".formatted(name, dtype));
    }

    private static ByteBuffer read(FileChannel channel, long position, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        StoredTensor.readFully(channel, buffer, position);
        return buffer.flip();
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw broken(message);
        }
    }

    private ModelLoadException broken(String message) {
        return new ModelLoadException("%s: %s".formatted(file, message));
    }
}
