package io.tailrace.schemas;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Avro's binary decoder of a record's body, which believes no length that the body has no bytes for. Avro makes room for what a length
 * claims before it sees the bytes: for a text of 8 MiB, or for eight million items, in a record of twenty bytes.
 *
 * <p>Every item of our schemas' arrays and maps takes a byte at least. Most become an object of some dozen bytes each, so a reader may also
 * bound how many a record has, all arrays and maps together.
 */
public final class BoundedDecoder extends Decoder {
    private final BinaryDecoder in;
    private final int bodyBytes;
    private final int itemsMax;
    private long items;

    /**
     * A decoder of a record with as many items as it has bytes.
     *
     * @param record whose body is read
     * @param from where its body begins
     */
    public BoundedDecoder(byte[] record, int from) {
        this(record, from, Integer.MAX_VALUE);
    }

    /**
     * A decoder.
     *
     * @param record whose body is read
     * @param from where its body begins
     * @param itemsMax of all arrays and maps together
     */
    BoundedDecoder(byte[] record, int from, int itemsMax) {
        this.bodyBytes = record.length - from;
        this.itemsMax = itemsMax;
        this.in = DecoderFactory.get().binaryDecoder(record, from, bodyBytes, null);
    }

    @Override
    public void readNull() throws IOException {
        in.readNull();
    }

    @Override
    public boolean readBoolean() throws IOException {
        return in.readBoolean();
    }

    @Override
    public int readInt() throws IOException {
        return in.readInt();
    }

    @Override
    public long readLong() throws IOException {
        return in.readLong();
    }

    @Override
    public float readFloat() throws IOException {
        return in.readFloat();
    }

    @Override
    public double readDouble() throws IOException {
        return in.readDouble();
    }

    @Override
    public Utf8 readString(Utf8 old) throws IOException {
        return new Utf8(field());
    }

    @Override
    public String readString() throws IOException {
        return new String(field(), StandardCharsets.UTF_8);
    }

    @Override
    public void skipString() throws IOException {
        in.skipString();
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) throws IOException {
        return ByteBuffer.wrap(field());
    }

    @Override
    public void skipBytes() throws IOException {
        in.skipBytes();
    }

    @Override
    public void readFixed(byte[] bytes, int start, int length) throws IOException {
        in.readFixed(bytes, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        in.skipFixed(length);
    }

    @Override
    public int readEnum() throws IOException {
        return in.readEnum();
    }

    @Override
    public long readArrayStart() throws IOException {
        return counted(in.readArrayStart());
    }

    @Override
    public long arrayNext() throws IOException {
        return counted(in.arrayNext());
    }

    @Override
    public long skipArray() throws IOException {
        return in.skipArray();
    }

    @Override
    public long readMapStart() throws IOException {
        return counted(in.readMapStart());
    }

    @Override
    public long mapNext() throws IOException {
        return counted(in.mapNext());
    }

    @Override
    public long skipMap() throws IOException {
        return in.skipMap();
    }

    @Override
    public int readIndex() throws IOException {
        return in.readIndex();
    }

    /** A text or bytes: both are written as their length and so many bytes. */
    private byte[] field() throws IOException {
        byte[] bytes = new byte[(int) believed(in.readLong())];
        in.readFixed(bytes);
        return bytes;
    }

    private long counted(long block) throws IOException {
        items += believed(block);
        if (items > itemsMax) {
            throw new IOException("more than %d items of arrays and maps".formatted(itemsMax));
        }
        return block;
    }

    private long believed(long count) throws IOException {
        if (count < 0 || count > bodyBytes) {
            throw new EOFException("a length of %d in a body of %d bytes".formatted(count, bodyBytes));
        }
        return count;
    }
}
