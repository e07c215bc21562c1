package io.tailrace.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.MissingSchemaException;
import org.apache.avro.message.SchemaStore;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Records to bytes and back in Avro single-object encoding: two marker bytes {@code C3 01}, the 8-byte little-endian
 * CRC-64-AVRO fingerprint of the writer's schema, the binary body (Avro specification, "Single-object encoding"). Every
 * released version of a schema lies beside this class in {@code versions/}, complete in one file. Safe for any number of threads.
 */
public final class RecordCodec<T extends SpecificRecord> {
    static {
        boundAllocations();
    }

    public static final RecordCodec<Generation> GENERATION =
            new RecordCodec<>(Generation.getClassSchema(), 1, TokenBodies::generation);
    public static final RecordCodec<Outcome> OUTCOME = new RecordCodec<>(Outcome.getClassSchema(), 1);
    public static final RecordCodec<Rejection> REJECTION = new RecordCodec<>(Rejection.getClassSchema(), 1);
    public static final RecordCodec<SnapshotManifest> SNAPSHOT_MANIFEST =
            new RecordCodec<>(SnapshotManifest.getClassSchema(), 1, null, SegmentRules::check);
    public static final RecordCodec<Control> CONTROL = new RecordCodec<>(Control.getClassSchema(), 1);
    public static final RecordCodec<WorkerStatus> WORKER_STATUS = new RecordCodec<>(WorkerStatus.getClassSchema(), 1);
    public static final RecordCodec<AdmittedAnswer> ADMITTED_ANSWER =
            new RecordCodec<>(AdmittedAnswer.getClassSchema(), 1, TokenBodies::admittedAnswer);
    public static final RecordCodec<Event> EVENT =
            new RecordCodec<>(Event.getClassSchema(), 1, null, SegmentRules::check);

    /** Marker and fingerprint. */
    public static final int HEADER_BYTES = 10;

    /** What a record usually takes at least. */
    private static final int ENCODED_BYTES = 512;

    private final String name;
    private final int currentVersion;
    private final DatumWriter<T> writer;
    private final BinaryMessageDecoder<T> decoder;
    private final byte[] currentHeader;
    private final Body<T> body;
    private final Consumer<T> rules;

    /** Reads what follows the header of a record of the current version. */
    @FunctionalInterface
    interface Body<T> {
        T read(BinaryDecoder in) throws IOException;
    }

    private RecordCodec(Schema schema, int currentVersion) {
        this(schema, currentVersion, null);
    }

    private RecordCodec(Schema schema, int currentVersion, Body<T> body) {
        this(schema, currentVersion, body, any -> {});
    }

    /**
     * A codec.
     *
     * @param body quicker than Avro's own reader; null: that
     * @param rules throws IllegalArgumentException for what no reader may get to see
     */
    private RecordCodec(Schema schema, int currentVersion, Body<T> body, Consumer<T> rules) {
        this.body = body;
        this.rules = rules;
        this.name = schema.getName();
        this.currentVersion = currentVersion;
        this.writer = writer(schema);
        SchemaStore.Cache known = new SchemaStore.Cache();
        for (int version = 1; version <= currentVersion; version++) {
            known.addSchema(release(version));
        }
        this.decoder = new BinaryMessageDecoder<>(SpecificData.get(), schema, known);
        this.currentHeader = header(schema);
    }

    public String name() {
        return name;
    }

    /** Number of the schema version this codec writes. */
    public int currentVersion() {
        return currentVersion;
    }

    public byte[] encode(T datum) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(ENCODED_BYTES);
        bytes.writeBytes(currentHeader);
        BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
        try {
            writer.write(datum, out);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new AssertionError("encoding into memory does no I/O", e);
        }
    }

    /**
     * Reads a record.
     *
     * @param bytes a record's value; null where it has none, which is no record
     */
    public T decode(byte[] bytes) throws UndecodableRecordException {
        if (bytes == null) {
            throw new UndecodableRecordException(
                    UndecodableRecordException.Kind.MALFORMED, "a record without a value is no " + name, null);
        }
        T record = read(bytes);
        try {
            rules.accept(record);
            return record;
        } catch (IllegalArgumentException e) {
            throw new UndecodableRecordException(
                    UndecodableRecordException.Kind.MALFORMED, name + " breaks a rule: " + e.getMessage(), e);
        }
    }

    private T read(byte[] bytes) throws UndecodableRecordException {
        try {
            boolean quick = body != null && Arrays.mismatch(bytes, currentHeader) == HEADER_BYTES;
            return quick ? body.read(afterHeader(bytes)) : decoder.decode(bytes);
        } catch (MissingSchemaException e) {
            throw wrong(UndecodableRecordException.Kind.UNKNOWN_SCHEMA, bytes, e);
        } catch (IOException | RuntimeException e) {
            // Foreign bytes: Avro answers with whatever its readers trip over, UnsupportedOperationException among
            // them.
            throw wrong(UndecodableRecordException.Kind.MALFORMED, bytes, e);
        }
    }

    /** The same by Avro's own reader. */
    T decodeByAvro(byte[] bytes) throws IOException {
        return decoder.decode(bytes);
    }

    /**
     * Bounds what Avro allocates for a length that a record claims. Avro believes lengths before it sees the bytes: twenty bytes that claim a
     * string of 2 GiB would end the process. Avro reads these limits from system properties, once, when it first decodes; a value that the
     * operator set stays.
     */
    private static void boundAllocations() {
        String max = Integer.toString(Topic.RECORD_BYTES_MAX);
        for (String what : new String[] {"bytes", "string", "collectionItems"}) {
            String property = "org.apache.avro.limits." + what + ".maxLength";
            if (System.getProperty(property) == null) {
                System.setProperty(property, max);
            }
        }
    }

    private static BinaryDecoder afterHeader(byte[] bytes) {
        return DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, null);
    }

    @SuppressWarnings("unchecked") // Avro's signature names no type; it writes what the schema describes
    private static <T> DatumWriter<T> writer(Schema schema) {
        return SpecificData.get().createDatumWriter(schema);
    }

    private static byte[] header(Schema schema) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 0xC3).put((byte) 0x01).putLong(SchemaNormalization.parsingFingerprint64(schema));
        return header.array();
    }

    private UndecodableRecordException wrong(UndecodableRecordException.Kind kind, byte[] bytes, Exception cause) {
        String remedy = kind == UndecodableRecordException.Kind.UNKNOWN_SCHEMA
                ? "its fingerprint is of no version up to %d; upgrade the reader before the writer"
                        .formatted(currentVersion)
                : "expected Avro single-object encoding (C3 01, 8-byte fingerprint, body)";
        return new UndecodableRecordException(
                kind, "%d bytes are no %s: %s".formatted(bytes.length, name, remedy), cause);
    }

    /** The schema of a released version, as it lies in {@code versions/}. */
    Schema release(int version) {
        String resource = "versions/%s-%d.avsc".formatted(name, version);
        try (InputStream in = RecordCodec.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("schema " + resource + " is missing from the jar; rebuild it");
            }
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new IllegalStateException("schema " + resource + " cannot be read from the jar; rebuild it", e);
        }
    }
}
