package io.tailrace.operators;

import io.tailrace.schemas.RecordCodec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/** Records of one kind for a fuzz test: its inputs are bodies, the codec's header is put before them. */
public final class FuzzedRecords {
    private final byte[] header;
    private final List<byte[]> bodies;

    private FuzzedRecords(byte[] header, List<byte[]> bodies) {
        this.header = header;
        this.bodies = bodies;
    }

    /** Of a codec, like these. */
    public static <T extends SpecificRecord> FuzzedRecords of(RecordCodec<T> codec, List<T> records) {
        List<byte[]> encoded = records.stream().map(codec::encode).toList();
        return new FuzzedRecords(
                Arrays.copyOf(encoded.get(0), RecordCodec.HEADER_BYTES),
                encoded.stream()
                        .map(record -> Arrays.copyOfRange(record, RecordCodec.HEADER_BYTES, record.length))
                        .toList());
    }

    /** The inputs to begin with. */
    public Stream<byte[]> seeds() {
        return bodies.stream();
    }

    /** A record as it lay on a topic. */
    public RawRecord raw(byte[] body) {
        byte[] whole = Arrays.copyOf(header, header.length + body.length);
        System.arraycopy(body, 0, whole, header.length, body.length);
        return new RawRecord("generations", 0, 0, 0, whole);
    }
}
