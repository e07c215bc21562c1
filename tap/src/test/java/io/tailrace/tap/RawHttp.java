package io.tailrace.tap;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** HTTP/1.1 messages as bytes on a socket, read by a few lines of its own: what is tested must not be what reads. */
final class RawHttp {
    private RawHttp() {}

    /**
     * A request or an answer.
     *
     * @param first its first line
     * @param headers names and values as they were written
     * @param body without what chunks add
     * @param chunks sizes of its chunks; empty: it had none
     * @param trailers behind the last chunk
     * @param whole false: it broke off
     */
    record Message(
            String first,
            List<String> headers,
            byte[] body,
            List<Integer> chunks,
            List<String> trailers,
            boolean whole) {
        Optional<String> header(String name) {
            String begin = name.toLowerCase(Locale.ROOT) + ":";
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(begin))
                    .map(line -> line.substring(begin.length()).strip())
                    .findFirst();
        }

        int status() {
            return Integer.parseInt(first.split(" ", -1)[1]);
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** The next message; null if there is none. */
    static Message read(InputStream in) throws IOException {
        return read(in, Integer.MAX_VALUE);
    }

    /** The same, of a body in chunks at most so many bytes: whether it would go on behind them is not looked at. */
    static Message read(InputStream in, int bodyBytesMax) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        List<String> headers = lines(in);
        Message head = new Message(first, headers, new byte[0], List.of(), List.of(), true);
        if (head.header("Transfer-Encoding").filter("chunked"::equalsIgnoreCase).isPresent()) {
            return chunked(in, head, bodyBytesMax);
        }
        int length = head.header("Content-Length").map(Integer::parseInt).orElse(0);
        byte[] body = in.readNBytes(length);
        return new Message(first, headers, body, List.of(), List.of(), body.length == length);
    }

    private static Message chunked(InputStream in, Message head, int bodyBytesMax) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        List<Integer> sizes = new ArrayList<>();
        try {
            while (body.size() < bodyBytesMax) {
                String line = line(in);
                if (line == null) {
                    throw new EOFException();
                }
                int size = Integer.parseInt(line.strip(), 16);
                if (size == 0) {
                    List<String> trailers = lines(in);
                    return new Message(head.first, head.headers, body.toByteArray(), sizes, trailers, true);
                }
                sizes.add(size);
                byte[] chunk = in.readNBytes(size);
                body.write(chunk);
                boolean enough = body.size() >= bodyBytesMax;
                if (chunk.length < size || (!enough && line(in) == null)) {
                    throw new EOFException();
                }
            }
        } catch (IOException e) {
            // What came before is looked at.
        }
        return new Message(head.first, head.headers, body.toByteArray(), sizes, List.of(), false);
    }

    private static List<String> lines(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            lines.add(line);
        }
        return lines;
    }

    /** The next line without its end; null if there is none. */
    static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                String text = line.toString(StandardCharsets.ISO_8859_1);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(next);
        }
        return null;
    }
}
