package io.tailrace.operators.state;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.SchemaStore;

/**
 * A Java record, or a class of public fields, as an Avro record in single-object encoding and back: components and fields have the same names. The schema lies beside this class as
 * {@code NAME-VERSION.avsc}; what any version wrote is read, resolved to the newest. Whatever the type's name and package are, they are not written.
 */
public final class StateCodec<R> implements StateCell.Form<R> {
    private static final int ENCODED_BYTES = 512;

    private final Class<R> type;
    private final Schema schema;
    private final byte[] header;
    private final GenericDatumWriter<Object> writer;
    private final BinaryMessageDecoder<Object> decoder;

    /** Of a state that has had one version so far. */
    public StateCodec(Class<R> type, String name) {
        this(type, name, 1);
    }

    /** @param version the newest */
    StateCodec(Class<R> type, String name, int version) {
        this.type = type;
        this.schema = schema(name, version);
        SchemaStore.Cache known = new SchemaStore.Cache();
        for (int earlier = 1; earlier < version; earlier++) {
            known.addSchema(schema(name, earlier));
        }
        this.writer = new GenericDatumWriter<>(schema);
        this.decoder = new BinaryMessageDecoder<>(GenericData.get(), schema, known);
        this.header = ByteBuffer.allocate(10)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0xC3)
                .put((byte) 0x01)
                .putLong(SchemaNormalization.parsingFingerprint64(schema))
                .array();
    }

    private static Schema schema(String name, int version) {
        String resource = "%s-%d.avsc".formatted(name, version);
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

    @Override
    public R decode(byte[] bytes) {
        try {
            return type.cast(StateMapping.toJava(decoder.decode(bytes), type));
        } catch (IOException | AvroRuntimeException e) {
            throw new IllegalStateException(
                    "%d bytes of state are no %s that this release knows; restore with the release that wrote them"
                            .formatted(bytes.length, schema.getName()),
                    e);
        }
    }

    /** Records do not change. */
    @Override
    public R copy(R value) {
        return type.isRecord() ? value : decode(encode(value));
    }
}
