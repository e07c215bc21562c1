package io.tailrace.agent.protocol;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads a frame's fields one after the other and checks each; what it refuses is told with its place. One thread. */
public final class FrameReader {
    private final ByteBuffer body;

    /**
     * A reader of a body.
     *
     * @param body little-endian; from its position to its limit
     */
    FrameReader(ByteBuffer body) {
        this.body = body;
    }

    /** A number within bounds; what is not is refused by the name of the field. */
    int u32(String field, int min, int max) throws RefusedEngineException {
        int at = body.position();
        long value = Integer.toUnsignedLong(need(field, Integer.BYTES).getInt());
        if (value < min || value > max) {
            throw RefusedEngineException.broken(
                    "%s at byte %d must be %d to %d, got %d".formatted(field, at, min, max, value));
        }
        return (int) value;
    }

    /** All 32 bits of a number that is no amount: it says which, or has flags. */
    int number(String field) throws RefusedEngineException {
        return need(field, Integer.BYTES).getInt();
    }

    /** An amount. */
    long u64(String field) throws RefusedEngineException {
        int at = body.position();
        long value = need(field, Long.BYTES).getLong();
        if (value < 0) {
            throw RefusedEngineException.broken("%s at byte %d must be at most %d, got %s"
                    .formatted(field, at, Long.MAX_VALUE, Long.toUnsignedString(value)));
        }
        return value;
    }

    long i64(String field) throws RefusedEngineException {
        return need(field, Long.BYTES).getLong();
    }

    float f32(String field) throws RefusedEngineException {
        return need(field, Float.BYTES).getFloat();
    }

    String string(String field, int bytesMin, int bytesMax) throws RefusedEngineException {
        int at = body.position();
        int bytes = u32(field + "'s length", bytesMin, bytesMax);
        ByteBuffer text = need(field, bytes + FrameFormat.padding(bytes)).slice(body.position(), bytes);
        body.position(body.position() + bytes);
        for (int i = FrameFormat.padding(bytes); i > 0; i--) {
            if (body.get() != 0) {
                throw RefusedEngineException.broken("%s at byte %d must be filled up with zeros".formatted(field, at));
            }
        }
        try {
            CharBuffer decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(text);
            return decoded.toString();
        } catch (CharacterCodingException e) {
            throw RefusedEngineException.broken("%s at byte %d must be UTF-8".formatted(field, at));
        }
    }

    /** How many tokens follow; {@link #tokens(String, int, int, int[], int)} reads them. */
    int tokenCount(String field) throws RefusedEngineException {
        int count = u32(field + "'s count", 0, FrameFormat.BODY_BYTES_MAX / Integer.BYTES);
        need(field, count * Integer.BYTES);
        return count;
    }

    /**
     * Reads token ids.
     *
     * @param into has room for them
     * @param from where the first goes
     */
    void tokens(String field, int count, int vocabularySize, int[] into, int from) throws RefusedEngineException {
        int at = body.position();
        body.asIntBuffer().get(into, from, count);
        body.position(at + count * Integer.BYTES);
        for (int i = from; i < from + count; i++) {
            if (into[i] < 0 || into[i] >= vocabularySize) {
                throw RefusedEngineException.broken("%s at byte %d must be token ids of 0 to %d, one is not"
                        .formatted(field, at, vocabularySize - 1));
            }
        }
    }

    /** Nothing is left. */
    void end() throws RefusedEngineException {
        if (body.hasRemaining()) {
            throw RefusedEngineException.broken("the frame has %d bytes too many".formatted(body.remaining()));
        }
    }

    private ByteBuffer need(String field, int bytes) throws RefusedEngineException {
        if (body.remaining() < bytes) {
            throw RefusedEngineException.broken("%s at byte %d needs %d bytes, the frame has %d left"
                    .formatted(field, body.position(), bytes, body.remaining()));
        }
        return body;
    }
}
