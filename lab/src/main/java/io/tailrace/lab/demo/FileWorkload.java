package io.tailrace.lab.demo;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.terminal.BadInputException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Recorded requests from JSON-lines files, dealt in turn: the first request of each file, the second of each, and so on; when
 * a file has ended the others go on. Every line is checked when the workload is made.
 */
final class FileWorkload implements DemoWorkload {
    private final List<Path> files;
    private final RecordedInputOptions options;
    private final boolean skipBadLines;
    private final Counts counts;
    private final List<RecordedInput> open = new ArrayList<>();

    /**
     * What the files hold.
     *
     * @param tokenMax largest token id
     */
    private record Counts(long requests, long badLines, int tokenMax) {}

    private FileWorkload(List<Path> files, RecordedInputOptions options, boolean skipBadLines, Counts counts) {
        this.files = List.copyOf(files);
        this.options = options;
        this.skipBadLines = skipBadLines;
        this.counts = counts;
    }

    /**
     * Reads the files once, to their ends.
     *
     * @param vocabulary token ids are below it; {@link RecordedInputOptions#UNBOUNDED}: the model then has as many as are needed
     * @param badLineListener null: the first bad line is an error; else told of each, and they are skipped
     * @throws RecordedInputException if a file cannot be read, or a line is bad and may not be skipped
     */
    static FileWorkload check(List<Path> files, int vocabulary, Consumer<RecordedInputException> badLineListener) {
        RecordedInputOptions options = RecordedInputOptions.of(vocabulary);
        try (RecordedInput input = badLineListener == null
                ? RecordedInput.strict(files, options)
                : RecordedInput.lenient(files, options, badLineListener)) {
            Counts counts = count(input);
            if (counts.requests == 0) {
                throw new BadInputException("there is no request to serve in " + files);
            }
            return new FileWorkload(files, options, badLineListener != null, counts);
        }
    }

    private static Counts count(RecordedInput input) {
        long requests = 0;
        int tokenMax = 0;
        while (input.hasNext()) {
            RecordedRequest request = input.next();
            requests++;
            tokenMax = Math.max(
                    tokenMax,
                    IntStream.concat(Arrays.stream(request.prompt()), Arrays.stream(request.response()))
                            .max()
                            .orElse(0));
        }
        return new Counts(requests, input.badLines(), tokenMax);
    }

    @Override
    public String describe() {
        List<String> names =
                files.stream().map(file -> String.valueOf(file.getFileName())).toList();
        return String.join(", ", names) + (files.size() > 1 ? ", dealt in turn" : "");
    }

    @Override
    public ServedModel model() {
        int size = options.vocabularySize() == RecordedInputOptions.UNBOUNDED
                ? counts.tokenMax + 1
                : options.vocabularySize();
        return new ServedModel("recorded", "1", size, "vocabulary-" + size);
    }

    @Override
    public long requests() {
        return counts.requests;
    }

    @Override
    public long badLines() {
        return counts.badLines;
    }

    @Override
    public Iterator<RecordedRequest> iterator() {
        for (Path file : files) {
            open.add(
                    skipBadLines
                            ? RecordedInput.lenient(List.of(file), options, badLine -> {})
                            : RecordedInput.strict(List.of(file), options));
        }
        return new InTurn(open);
    }

    @Override
    public void close() {
        open.forEach(RecordedInput::close);
    }

    private static final class InTurn implements Iterator<RecordedRequest> {
        private final Deque<Iterator<RecordedRequest>> waiting;

        InTurn(List<? extends Iterator<RecordedRequest>> inputs) {
            waiting = new ArrayDeque<>(inputs);
        }

        @Override
        public boolean hasNext() {
            while (!waiting.isEmpty() && !waiting.peek().hasNext()) {
                waiting.remove();
            }
            return !waiting.isEmpty();
        }

        @Override
        public RecordedRequest next() {
            if (!hasNext()) {
                throw new NoSuchElementException("every input has ended");
            }
            Iterator<RecordedRequest> turn = waiting.remove();
            RecordedRequest request = turn.next();
            waiting.add(turn);
            return request;
        }
    }
}
