package io.tailrace.gpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** Recorded requests beside the repository, where there are any. */
final class RecordedRequests {
    private static final Path FOLDER = Path.of("..", "..", "shared", "data", "open");

    private RecordedRequests() {}

    /** A prompt and its answer. */
    record Request(int[] prompt, int[] response) {}

    /** Ends the test, and says so, where there are none. */
    static void require() {
        boolean found = Files.isDirectory(FOLDER);
        if (!found) {
            System.out.println("NOT CHECKED: drafts on recorded requests, for there is no folder " + FOLDER);
        }
        Assumptions.assumeTrue(found, "no recorded requests at " + FOLDER);
    }

    static List<Request> read(String workload, int requestsMax) throws IOException {
        List<Request> requests = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        Path file = FOLDER.resolve(workload + ".jsonl.gz");
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine();
                    line != null && requests.size() < requestsMax;
                    line = lines.readLine()) {
                JsonNode record = json.readTree(line);
                requests.add(new Request(ids(record.get("prompt")), ids(record.get("response"))));
            }
        }
        return requests;
    }

    private static int[] ids(JsonNode array) {
        int[] ids = new int[array == null ? 0 : array.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = array.get(i).asInt();
        }
        return ids;
    }
}
