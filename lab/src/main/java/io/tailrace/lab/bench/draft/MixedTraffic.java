package io.tailrace.lab.bench.draft;

import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The recorded requests of a folder as one lane's traffic: the workloads run side by side, each from its first request at the
 * beginning to its last at the end. One request in {@value #HELD_BACK_EVERY} is held back to be drafted for; of the others
 * is kept what a lane remembers by default.
 *
 * @param answers of the lane, in order
 * @param heldBack in order
 */
record MixedTraffic(List<RememberedAnswer> answers, List<ReplayCase> heldBack) {
    static final int HELD_BACK_EVERY = 50;
    private static final int RESPONSE_TOKENS_MIN = 2;

    /** A request at its time, 0 the lane's beginning and 1 its end. */
    private record Timed<T>(double time, T what) {}

    static MixedTraffic read(Path folder, int vocabulary) throws IOException {
        List<Timed<RememberedAnswer>> answers = new ArrayList<>();
        List<Timed<ReplayCase>> heldBack = new ArrayList<>();
        for (Path file : files(folder)) {
            read(file, vocabulary, answers, heldBack);
        }
        return new MixedTraffic(inOrder(answers), inOrder(heldBack));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            List<Path> files = found.filter(file -> file.toString().endsWith(".jsonl.gz")
                            || file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw new IOException(folder + ": must hold recorded requests (*.jsonl.gz), holds none");
            }
            return files;
        }
    }

    private static void read(
            Path file, int vocabulary, List<Timed<RememberedAnswer>> answers, List<Timed<ReplayCase>> heldBack) {
        List<RememberedAnswer> kept = new ArrayList<>();
        List<ReplayCase> held = new ArrayList<>();
        try (RecordedInput input = RecordedInput.strict(List.of(file), RecordedInputOptions.of(vocabulary))) {
            for (int read = 1; input.hasNext(); read++) {
                RecordedRequest request = input.next();
                if (request.response().length < RESPONSE_TOKENS_MIN) {
                    continue;
                }
                if (read % HELD_BACK_EVERY == 0) {
                    held.add(ReplayCase.of(request.prompt(), request.response()));
                } else {
                    kept.add(RememberedAnswer.of(request.prompt(), RememberedAnswer.TAIL_TOKENS, request.response()));
                }
            }
        }
        spread(kept, answers);
        spread(held, heldBack);
    }

    private static <T> void spread(List<T> of, List<Timed<T>> into) {
        for (int i = 0; i < of.size(); i++) {
            into.add(new Timed<>((i + 0.5) / of.size(), of.get(i)));
        }
    }

    private static <T> List<T> inOrder(List<Timed<T>> timed) {
        timed.sort(Comparator.comparingDouble(Timed::time));
        return timed.stream().map(Timed::what).toList();
    }
}
