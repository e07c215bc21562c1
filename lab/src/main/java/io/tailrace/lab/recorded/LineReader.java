package io.tailrace.lab.recorded;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of a byte stream, one at a time in a buffer that is reused. A line over the limit is skipped to its end, so that
 * reading can go on after it.
 */
public final class LineReader implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 16;

    private final InputStream in;
    private final int lineBytesMax;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int chunkStart;
    private int chunkEnd;
    private byte[] line = new byte[1 << 12];
    private int length;
    private long number;
    private boolean tooLong;

    /** @param lineBytesMax a longer line is skipped to its end and said to be {@link #tooLong} */
    public LineReader(InputStream in, int lineBytesMax) {
        this.in = in;
        this.lineBytesMax = lineBytesMax;
    }

    /** Reads the next line; false at the end. */
    public boolean next() throws IOException {
        length = 0;
        tooLong = false;
        boolean any = false;
        while (chunkStart < chunkEnd || fill()) {
            any = true;
            int end = chunkStart;
            while (end < chunkEnd && chunk[end] != '\n') {
                end++;
            }
            append(chunkStart, end);
            boolean complete = end < chunkEnd;
            chunkStart = complete ? end + 1 : end;
            if (complete) {
                break;
            }
        }
        number += any ? 1 : 0;
        return any;
    }

    /** The line, up to {@link #length}; overwritten by the next. */
    public byte[] bytes() {
        return line;
    }

    public int length() {
        return length;
    }

    /** Counts from 1. */
    public long number() {
        return number;
    }

    public boolean tooLong() {
        return tooLong;
    }

    public boolean blank() {
        for (int i = 0; i < length; i++) {
            if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
                return false;
            }
        }
        return !tooLong;
    }

    private boolean fill() throws IOException {
        try {
            int read = in.read(chunk);
            chunkStart = 0;
            chunkEnd = Math.max(read, 0);
            return read > 0;
        } catch (EOFException e) {
            throw new IOException("the compressed stream ends too early", e);
        }
    }

    private void append(int from, int to) {
        int count = to - from;
        if (tooLong || length + count > lineBytesMax) {
            tooLong = true;
            length = 0;
            return;
        }
        if (length + count > line.length) {
            line = Arrays.copyOf(line, Math.max(line.length * 2, length + count));
        }
        System.arraycopy(chunk, from, line, length, count);
        length += count;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
