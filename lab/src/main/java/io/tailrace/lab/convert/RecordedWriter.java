package io.tailrace.lab.convert;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdOutputStream;
import io.tailrace.lab.recorded.RecordedRequest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * Writes recorded requests in the input format, packed as the file's name says. Ids are unique within it. A request whose prompt goes on
 * from the last one of its session names that as its parent, and has only what came new: files of long conversations stay short.
 */
final class RecordedWriter implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SESSIONS_MAX = 256;
    private static final int ID_CHARS_MAX = 200;

    private final OutputStream out;
    private final Map<String, RecordedRequest> lastOf = new LinkedHashMap<>(16, 0.75f, true);

    /** Of each id: 100 MB a million. */
    private final Map<String, Integer> timesOf = new HashMap<>();

    private long renamed;

    RecordedWriter(Path file) throws IOException {
        OutputStream bytes = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
        String name = file.toString();
        this.out = name.endsWith(".gz")
                ? new GZIPOutputStream(bytes)
                : name.endsWith(".zst") ? new ZstdOutputStream(bytes) : bytes;
    }

    /** Ids that were written with a number behind them. */
    long renamed() {
        return renamed;
    }

    void write(RecordedRequest read) throws IOException {
        String id = unique(read.id());
        RecordedRequest request = read;
        if (!id.equals(read.id())) {
            request = read.withId(id);
            renamed++;
        }
        RecordedRequest parent = request.session() == null ? null : lastOf.get(key(request));
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("id", request.id());
        line.put("scope", request.scope());
        line.put("workload", request.workload());
        if (request.session() != null) {
            line.put("session", request.session());
        }
        if (parent != null && goesOn(request, parent)) {
            int known = parent.prompt().length + parent.response().length;
            line.put("parent", parent.id());
            line.put("prompt", Arrays.copyOfRange(request.prompt(), known, request.prompt().length));
        } else {
            line.put("prompt", request.prompt());
        }
        line.put("response", request.response());
        out.write(JSON.writeValueAsBytes(line));
        out.write('\n');
        remember(request);
    }

    /** The id, or if it was written before, one that was not: with #2 and up. */
    private String unique(String id) {
        int nth = timesOf.merge(id, 1, Integer::sum);
        String number = "#" + nth;
        return nth == 1 ? id : unique(id.substring(0, Math.min(id.length(), ID_CHARS_MAX - number.length())) + number);
    }

    private static String key(RecordedRequest request) {
        return request.scope() + "\n" + request.session();
    }

    private void remember(RecordedRequest request) {
        if (request.session() != null) {
            lastOf.put(key(request), request);
            if (lastOf.size() > SESSIONS_MAX) {
                lastOf.remove(lastOf.keySet().iterator().next());
            }
        }
    }

    private static boolean goesOn(RecordedRequest request, RecordedRequest parent) {
        int[] prompt = request.prompt();
        int asked = parent.prompt().length;
        int known = asked + parent.response().length;
        return prompt.length >= known
                && Arrays.equals(prompt, 0, asked, parent.prompt(), 0, asked)
                && Arrays.equals(prompt, asked, known, parent.response(), 0, parent.response().length);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
