package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.Packing;
import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.recorded.RecordedRequest.Position;
import io.tailrace.lab.recorded.RecordedRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Opens logs of any known format as recorded requests. Requests and answers that stand in two files are joined, if that of the requests is opened first. */
public final class Logs {
    private final LogFormat given;
    private final Map<String, String> columns;
    private final LogTokenizer tokenizer;
    private final Map<LogFormat, LogShape> shapes = new EnumMap<>(LogFormat.class);

    /** @param given null: it is recognised */
    Logs(LogFormat given, Map<String, String> columns, LogTokenizer tokenizer) {
        this.given = given;
        this.columns = Map.copyOf(columns);
        this.tokenizer = tokenizer;
    }

    /**
     * The requests of a file.
     *
     * @param badLines told of each record that cannot be read, which is then passed over unless it throws
     * @param told hears in a line what the file was, once it has been read to its end
     */
    public RecordedRequests open(
            Path file, RecordedInputOptions options, Consumer<RecordedInputException> badLines, Consumer<String> told) {
        RecordedInput.checkReadable(file);
        try {
            LogFile layout = LogFile.of(file);
            LogFormat format = given == null ? recognised(file, layout) : given;
            if (format == LogFormat.IDS) {
                return RecordedInput.lenient(List.of(file), options, badLines);
            }
            if (format == LogFormat.COLUMNS) {
                checkColumns(file, layout);
            }
            LogShape shape = shapes.computeIfAbsent(format, each -> each.shape(columns));
            LogInput input = new LogInput(file, layout.open(file), shape, tokenizer, options, badLines);
            String what = "%s: %s, %s".formatted(file, format.text(), described(file, layout));
            return new Told(input, () -> told.accept(what + "; " + input.describe()));
        } catch (BrokenLineException e) {
            throw RecordedInputException.at(new Position(file, 0), e);
        } catch (IOException e) {
            throw RecordedInputException.unreadable(new Position(file, 0), e);
        }
    }

    /** What to tell of requests that never found their response, once all files have been read. */
    public Optional<String> unanswered() {
        List<Position> waiting = shapes.values().stream()
                .flatMap(shape -> shape.unanswered().stream())
                .toList();
        return waiting.stream()
                .findFirst()
                .map(first ->
                        "requests that never found their response: %,d; first: %s".formatted(waiting.size(), first));
    }

    /** The formats of the logs of text that were opened, as {@code --format} calls them. */
    public Set<String> formats() {
        return shapes.keySet().stream().map(LogFormat::text).collect(Collectors.toUnmodifiableSet());
    }

    private static String described(Path file, LogFile layout) throws IOException {
        Packing packing = Packing.of(file);
        return packing == Packing.PLAIN
                ? layout.text()
                : layout.text() + " in " + packing.name().toLowerCase(Locale.ROOT);
    }

    /** Refuses columns that were named and that neither a table's head nor any record has. Reads on only while one is not found. */
    private void checkColumns(Path file, LogFile layout) throws IOException, BrokenLineException {
        Set<String> missing = new TreeSet<>(columns.values());
        try (LogRows rows = layout.open(file)) {
            Set<String> names = new LinkedHashSet<>(rows.columns());
            boolean table = !names.isEmpty();
            missing.removeAll(names);
            while (!table && !missing.isEmpty()) {
                LogRow row = readable(file, layout, rows, new ArrayList<>());
                if (row == null) {
                    break;
                }
                row.fields().fieldNames().forEachRemaining(names::add);
                missing.removeAll(names);
            }
            if (!names.isEmpty() && !missing.isEmpty()) {
                throw new BrokenLineException(
                        "a file has the columns that --columns names",
                        "none of the name " + LogFields.shown(missing.iterator().next()),
                        "name one that it has: " + Exchanges.names(names));
            }
        }
    }

    /** By the first record that can be read. Without one, lines of UTF-8 are taken for token ids, whose reader says what is wrong. */
    private LogFormat recognised(Path file, LogFile layout) throws IOException, BrokenLineException {
        List<RecordedInputException> unread = new ArrayList<>();
        try (LogRows rows = layout.open(file)) {
            while (true) {
                LogRow row = readable(file, layout, rows, unread);
                if (row == null && !unread.isEmpty()) {
                    throw unread.get(0);
                }
                if (row == null && layout.isEngines()) {
                    throw RecordedInputException.at(rows.position(file), answersMissing());
                }
                if (row == null) {
                    return layout == LogFile.JSON_LINES ? LogFormat.IDS : LogFormat.COLUMNS;
                }
                try {
                    UnreadAnswers.refuse(row.fields());
                } catch (BrokenLineException e) {
                    unread.add(RecordedInputException.at(rows.position(file), e));
                    continue;
                }
                return format(rows.position(file), row);
            }
        }
    }

    /** The next record that is one; null at the end. Of lines, broken ones are passed over; the first that is not in UTF-8 is noted as unread. */
    private static LogRow readable(Path file, LogFile layout, LogRows rows, List<RecordedInputException> unread)
            throws IOException {
        while (true) {
            try {
                return rows.next();
            } catch (BrokenLineException e) {
                RecordedInputException broken = RecordedInputException.at(rows.position(file), e);
                if (layout != LogFile.JSON_LINES) {
                    throw broken;
                }
                if (e.isEncoding() && unread.isEmpty()) {
                    unread.add(broken);
                }
            }
        }
    }

    private static BrokenLineException answersMissing() {
        return new BrokenLineException(
                "a server's log holds answers",
                "requests alone",
                "start vLLM with --enable-log-outputs, or SGLang with --log-requests, and log until the requests have ended");
    }

    private LogFormat format(Position position, LogRow row) {
        try {
            return LogFormat.of(row.fields(), columns);
        } catch (BrokenLineException e) {
            throw RecordedInputException.at(position, e);
        }
    }

    /** Says what the log was when it has ended. */
    private static final class Told implements RecordedRequests {
        private final RecordedRequests requests;
        private Runnable atEnd;

        private Told(RecordedRequests requests, Runnable atEnd) {
            this.requests = requests;
            this.atEnd = atEnd;
        }

        @Override
        public boolean hasNext() {
            boolean more = requests.hasNext();
            if (!more) {
                tell();
            }
            return more;
        }

        @Override
        public RecordedRequest next() {
            return requests.next();
        }

        @Override
        public void close() {
            tell();
            requests.close();
        }

        private void tell() {
            atEnd.run();
            atEnd = () -> {};
        }
    }
}
