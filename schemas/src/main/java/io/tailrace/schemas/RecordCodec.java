package io.tailrace.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.EncoderFactory;
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

    private static final int MARKER_BYTES = 2;

    /** Each becomes an object, where it is no token: a record of 8 MiB may claim eight million. Ours have some thousand. */
    static final int ITEMS_MAX = 1 << 17;

    /** Marker and fingerprint. */
    public static final int HEADER_BYTES = MARKER_BYTES + Long.BYTES;

    /** What a record usually takes at least. */
    private static final int ENCODED_BYTES = 512;

    private final String name;
    private final int currentVersion;
    private final DatumWriter<T> writer;
    /** By the fingerprint of the schema that they were written by. */
    private final Map<Long, Body<T>> bodies = new HashMap<>();
    /** Tokens stay numbers, so records that hold them may have as many as bytes. */
    private final int itemsMax;

    private final byte[] currentHeader;
    private final Consumer<T> rules;

    /** Reads what follows a record's header. */
    @FunctionalInterface
    interface Body<T> {
        T read(Decoder in) throws IOException;
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
     * @param body of the current version, quicker than Avro's own reader; null: that
     * @param rules throws IllegalArgumentException for what no reader may get to see
     */
    private RecordCodec(Schema schema, int currentVersion, Body<T> body, Consumer<T> rules) {
        this.rules = rules;
        this.name = schema.getName();
        this.itemsMax = body == null ? ITEMS_MAX : Integer.MAX_VALUE;
        this.currentVersion = currentVersion;
        this.writer = writer(schema);
        for (int version = 1; version <= currentVersion; version++) {
            Schema released = release(version);
            bodies.put(SchemaNormalization.parsingFingerprint64(released), byAvro(released, schema));
        }
        this.currentHeader = header(schema);
        bodies.put(fingerprint(currentHeader), body == null ? byAvro(schema, schema) : body);
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
        if (bytes.length < HEADER_BYTES || bytes[0] != currentHeader[0] || bytes[1] != currentHeader[1]) {
            throw wrong(UndecodableRecordException.Kind.MALFORMED, bytes, null);
        }
        Body<T> body = bodies.get(fingerprint(bytes));
        if (body == null) {
            throw wrong(UndecodableRecordException.Kind.UNKNOWN_SCHEMA, bytes, null);
        }
        try {
            return body.read(new BoundedDecoder(bytes, HEADER_BYTES, itemsMax));
        } catch (IOException | RuntimeException e) {
            // Foreign bytes: Avro answers with whatever its readers trip over, UnsupportedOperationException among
            // them.
            throw wrong(UndecodableRecordException.Kind.MALFORMED, bytes, e);
        }
    }

    /** Avro's own way to read a body that was written by a version of the schema. */
    private Body<T> byAvro(Schema written, Schema current) {
        @SuppressWarnings("unchecked") // Avro's signature names no type; it makes what the schema describes
        DatumReader<T> reader = SpecificData.get().createDatumReader(written, current);
        return in -> reader.read(null, in);
    }

    /**
     * Bounds what Avro allocates, wherever else in the process it reads. Avro reads these limits from system properties, once, when it
     * first decodes; a value that the operator set stays.
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

    @SuppressWarnings("unchecked") // Avro's signature names no type; it writes what the schema describes
    private static <T> DatumWriter<T> writer(Schema schema) {
        return SpecificData.get().createDatumWriter(schema);
    }

    private static byte[] header(Schema schema) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 0xC3).put((byte) 0x01).putLong(SchemaNormalization.parsingFingerprint64(schema));
        return header.array();
    }

    private static long fingerprint(byte[] record) {
        return ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getLong(MARKER_BYTES);
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
        String resource = "versions/" + name + "-" + version + ".avsc";
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
