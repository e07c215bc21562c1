package io.tailrace.tap.answer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** A body as it was before it was compressed for the wire. */
public final class BodyText {
    private BodyText() {}

    /**
     * Unpacks a body.
     *
     * @param encoding its Content-Encoding; null: none
     * @param bytesMax most bytes it may have then
     * @throws UnreadableException if the encoding is another than gzip and deflate, or the body is damaged or too large
     */
    public static byte[] of(byte[] body, String encoding, int bytesMax) throws UnreadableException {
        String name = encoding == null ? "" : encoding.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.equals("identity")) {
            return body;
        }
        try (InputStream in = unpacking(new ByteArrayInputStream(body), name)) {
            byte[] text = in.readNBytes(bytesMax);
            if (in.read() >= 0) {
                throw new UnreadableException("a body has more than %d bytes when unpacked".formatted(bytesMax));
            }
            return text;
        } catch (IOException e) {
            throw new UnreadableException("a body is no intact " + name);
        }
    }

    private static InputStream unpacking(InputStream in, String name) throws IOException, UnreadableException {
        return switch (name) {
            case "gzip", "x-gzip" -> new GZIPInputStream(in);
            case "deflate" -> new InflaterInputStream(in);
            default -> throw new UnreadableException("bodies of Content-Encoding " + name + " are not unpacked");
        };
    }
}
