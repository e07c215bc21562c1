package io.tailrace.tap.answer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The data of server-sent events, one after the other, by the rules of the HTML standard: lines end with CR, LF or both, {@code data} lines of one event are joined,
 * comments and other fields are passed over, and an event that no empty line ends is none.
 */
final class EventStream {
    private static final byte[] DATA = "data".getBytes(StandardCharsets.UTF_8);
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final byte[] bytes;
    private int at;

    EventStream(byte[] bytes) {
        this.bytes = bytes;
        this.at = startsWith(0, MARK) ? MARK.length : 0;
    }

    /** Data of the next event that has some; null at the end. */
    byte[] next() {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        boolean some = false;
        while (at < bytes.length) {
            int from = at;
            int end = lineEnd(from);
            if (end == bytes.length) {
                at = end;
                return null;
            }
            at = bytes[end] == '\r' && end + 1 < bytes.length && bytes[end + 1] == '\n' ? end + 2 : end + 1;
            if (end == from && some) {
                return data.toByteArray();
            }
            int value = dataFrom(from, end);
            if (value >= 0) {
                if (some) {
                    data.write('\n');
                }
                data.write(bytes, value, end - value);
                some = true;
            }
        }
        return null;
    }

    /** Where the value of a data line begins; -1: it is another line. */
    private int dataFrom(int from, int end) {
        int after = from + DATA.length;
        if (after > end || !startsWith(from, DATA)) {
            return -1;
        }
        if (after == end) {
            return end;
        }
        if (bytes[after] != ':') {
            return -1;
        }
        return after + 1 < end && bytes[after + 1] == ' ' ? after + 2 : after + 1;
    }

    private int lineEnd(int from) {
        int end = from;
        while (end < bytes.length && bytes[end] != '\n' && bytes[end] != '\r') {
            end++;
        }
        return end;
    }

    private boolean startsWith(int from, byte[] what) {
        return from + what.length <= bytes.length
                && Arrays.equals(bytes, from, from + what.length, what, 0, what.length);
    }
}
