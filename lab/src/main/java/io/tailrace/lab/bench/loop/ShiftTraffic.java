package io.tailrace.lab.bench.loop;

import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Recorded requests of one workload, then abruptly of another.
 *
 * @param cases in order
 * @param before how many come before the shift
 */
record ShiftTraffic(List<ReplayCase> cases, int before) {
    /** More than the tokenizers in use have ids. */
    static final int VOCABULARY = 1 << 20;

    private static final String ORDER = "streams/shift_chat_to_sql.jsonl.gz";

    /** Reads the order below the folder and takes so many of each phase; reversed: the second phase first. */
    static ShiftTraffic read(Path data, int before, int after, boolean reverse) throws IOException {
        Path order = data.resolve(ORDER);
        if (!Files.isReadable(order)) {
            throw new BadInputException("--data %s: there is no %s in it".formatted(data, ORDER));
        }
        List<ReplayCase> all = new StreamReader(RecordedInputOptions.of(VOCABULARY), Long.MAX_VALUE)
                .ordered(order, files(data))
                .cases();
        String firstWorkload = all.get(0).workload();
        List<ReplayCase> first = all.stream()
                .filter(request -> request.workload().equals(firstWorkload))
                .toList();
        List<ReplayCase> second = all.stream()
                .filter(request -> !request.workload().equals(firstWorkload))
                .toList();
        List<ReplayCase> from = reverse ? second : first;
        List<ReplayCase> to = reverse ? first : second;
        if (from.size() < before || to.size() < after) {
            throw new BadInputException("the order has %d and %d requests, %d and %d were asked for"
                    .formatted(from.size(), to.size(), before, after));
        }
        List<ReplayCase> cases = new ArrayList<>(from.subList(0, before));
        cases.addAll(to.subList(0, after));
        return new ShiftTraffic(List.copyOf(cases), before);
    }

    private static List<Path> files(Path data) throws IOException {
        try (Stream<Path> listed = Files.list(data)) {
            return listed.filter(file -> file.getFileName().toString().endsWith(".jsonl.gz"))
                    .sorted()
                    .toList();
        }
    }
}
