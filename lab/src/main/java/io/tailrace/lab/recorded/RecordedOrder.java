package io.tailrace.lab.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An order over requests that stand in other files: JSON lines, plain or gzip, each with {@code workload} and {@code id},
 * and optionally {@code tenant}, which is the scope the request is to be replayed in.
 *
 * @param entries in order, at least one
 */
public record RecordedOrder(List<Entry> entries) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public RecordedOrder {
        entries = List.copyOf(entries);
    }

    /**
     * One request of the order.
     *
     * @param tenant the scope to replay it in, or null: its own
     * @param position where the entry stands
     */
    public record Entry(String workload, String id, String tenant, RecordedRequest.Position position) {}

    /**
     * Reads the first entries of an order.
     *
     * @throws RecordedInputException if the file cannot be read, a line is no entry, or there is none
     */
    public static RecordedOrder read(Path file, long entriesMax) {
        RecordedInput.checkReadable(file);
        List<Entry> entries = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Packing.open(file), StandardCharsets.UTF_8))) {
            long number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine(), number++) {
                if (!line.isBlank() && entries.size() < entriesMax) {
                    entries.add(entry(line, file, number));
                }
            }
        } catch (IOException e) {
            throw RecordedInputException.unreadable(new RecordedRequest.Position(file, 0), e);
        }
        if (entries.isEmpty()) {
            throw new RecordedInputException(
                    file, 0, "an order has at least one request", "none", "write {\"workload\": ..., \"id\": ...}");
        }
        return new RecordedOrder(entries);
    }

    private static Entry entry(String line, Path file, long number) {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (IOException e) {
            throw new RecordedInputException(
                    file, number, "a line is a JSON object", "something else", "repair or remove the line", e);
        }
        String workload = text(node, "workload");
        String id = text(node, "id");
        if (workload == null || id == null) {
            throw new RecordedInputException(
                    file,
                    number,
                    "an entry has a workload and an id",
                    "no " + (workload == null ? "workload" : "id"),
                    "write {\"workload\": ..., \"id\": ...}, both strings");
        }
        return new Entry(workload, id, text(node, "tenant"), new RecordedRequest.Position(file, number));
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.get(field);
        return value == null || !value.isTextual() || value.textValue().isEmpty() ? null : value.textValue();
    }

    /** What to say of an entry whose request is in none of the inputs. */
    public static RecordedInputException notFound(Entry entry) {
        return new RecordedInputException(
                entry.position().file(),
                entry.position().number(),
                "every request of an order stands in one of the inputs",
                "no request '" + entry.id() + "' of workload '" + entry.workload() + "'",
                "give the file that holds it with --input");
    }
}
