package io.tailrace.operators.state;

import io.tailrace.schemas.BoundedDecoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.EncoderFactory;

/**
 * A Java record, or a class of public fields, as an Avro record in single-object encoding and back: components and fields have the same names. The schema lies beside this class as
 * {@code NAME-VERSION.avsc}; what any version wrote is read, resolved to the newest. Whatever the type's name and package are, they are not written.
 */
public final class StateCodec<R> implements StateCell.Form<R> {
    private static final int ENCODED_BYTES = 512;
    private static final int MARKER_BYTES = 2;
    private static final int HEADER_BYTES = MARKER_BYTES + Long.BYTES;

    private final Class<R> type;
    private final Schema schema;
    private final byte[] header;
    private final GenericDatumWriter<Object> writer;
    /** By the fingerprint of the schema that they were written by. */
    private final Map<Long, DatumReader<Object>> readers = new HashMap<>();

    /** Of a state that has had one version so far. */
    public StateCodec(Class<R> type, String name) {
        this(type, name, 1);
    }

    /** @param version the newest */
    StateCodec(Class<R> type, String name, int version) {
        this.type = type;
        this.schema = schema(name, version);
        for (int each = 1; each <= version; each++) {
            Schema written = schema(name, each);
            readers.put(SchemaNormalization.parsingFingerprint64(written), new GenericDatumReader<>(written, schema));
        }
        this.writer = new GenericDatumWriter<>(schema);
        this.header = ByteBuffer.allocate(HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0xC3)
                .put((byte) 0x01)
                .putLong(SchemaNormalization.parsingFingerprint64(schema))
                .array();
    }

    private static Schema schema(String name, int version) {
        String resource = name + "-" + version + ".avsc";
        try (InputStream in = StateCodec.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("schema " + resource + " is missing from the jar; rebuild it");
            }
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new IllegalStateException("schema " + resource + " cannot be read from the jar; rebuild it", e);
        }
    }

    @Override
    public byte[] encode(R value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(ENCODED_BYTES);
        bytes.writeBytes(header);
        BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
        try {
            writer.write(StateMapping.toAvro(value, schema), out);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new AssertionError("encoding into memory does no I/O", e);
        }
    }

    /** @throws IllegalStateException if no version known here wrote these bytes, or they are damaged */
    @Override
    public R decode(byte[] bytes) {
        try {
            return type.cast(StateMapping.toJava(datum(bytes), type));
        } catch (IOException | RuntimeException e) {
            // Of damaged bytes: Avro, and the records' own checks, answer with whatever they trip over.
            throw new IllegalStateException(
                    "%d bytes of state are no %s that this release knows; restore with the release that wrote them"
                            .formatted(bytes.length, schema.getName()),
                    e);
        }
    }

    private Object datum(byte[] bytes) throws IOException {
        if (bytes.length < HEADER_BYTES || bytes[0] != header[0] || bytes[1] != header[1]) {
            throw new IOException("expected Avro single-object encoding (C3 01, 8-byte fingerprint, body)");
        }
        DatumReader<Object> reader = readers.get(
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(MARKER_BYTES));
        if (reader == null) {
            throw new IOException("the fingerprint is of no version of the schema");
        }
        return reader.read(null, new BoundedDecoder(bytes, HEADER_BYTES));
    }

    /** Records do not change. */
    @Override
    public R copy(R value) {
        return type.isRecord() ? value : decode(encode(value));
    }
}
