package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.recorded.RecordedRequest.Position;
import io.tailrace.lab.recorded.RecordedRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/** The requests of one log of text, tokenised as they are asked for. Logs whose records stand in any order are sorted by time first. */
final class LogInput implements RecordedRequests {
    private static final int ID_CHARS_MAX = 200;

    private final Path file;
    private final LogRows rows;
    private final LogShape shape;
    private final LogTokenizer tokenizer;
    private final RecordedInputOptions options;
    private final Consumer<RecordedInputException> badLines;
    private final LogTally tally = new LogTally();
    private final Deque<Found> found = new ArrayDeque<>();
    private RecordedRequest next;
    private boolean ended;

    private record Found(LoggedRequest request, Position position) {}

    LogInput(
            Path file,
            LogRows rows,
            LogShape shape,
            LogTokenizer tokenizer,
            RecordedInputOptions options,
            Consumer<RecordedInputException> badLines) {
        this.file = file;
        this.rows = rows;
        this.shape = shape;
        this.tokenizer = tokenizer;
        this.options = options;
        this.badLines = badLines;
    }

    /** What was read so far. */
    String describe() {
        return tally.describe();
    }

    @Override
    public boolean hasNext() {
        while (next == null && (!found.isEmpty() || find())) {
            Found one = found.poll();
            try {
                next = recorded(one);
            } catch (BrokenLineException e) {
                badLines.accept(RecordedInputException.at(one.position, e));
            }
        }
        return next != null;
    }

    @Override
    public RecordedRequest next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the log has ended");
        }
        RecordedRequest request = next;
        next = null;
        tally.request();
        return request;
    }

    /** Looks for further requests; false at the end. */
    private boolean find() {
        do {
            readRow();
        } while (!ended && (shape.isUnordered() || found.isEmpty()));
        sortByTime();
        return !found.isEmpty();
    }

    private void readRow() {
        try {
            LogRow row = ended ? null : rows.next();
            ended = row == null;
            if (row != null) {
                UnreadAnswers.refuse(row.fields());
                Position position = rows.position(file);
                tally.at(position);
                shape.read(row.fields(), tally).forEach(request -> found.add(new Found(request, position)));
            }
        } catch (BrokenLineException e) {
            badLines.accept(RecordedInputException.at(rows.position(file), e));
        } catch (IOException e) {
            throw RecordedInputException.unreadable(rows.position(file), e);
        }
    }

    private void sortByTime() {
        if (!shape.isUnordered()) {
            return;
        }
        List<Found> untimed =
                found.stream().filter(one -> one.request.time() == null).toList();
        if (untimed.isEmpty()) {
            List<Found> sorted = new ArrayList<>(found);
            sorted.sort(Comparator.comparingDouble(one -> one.request.time()));
            found.clear();
            found.addAll(sorted);
        } else {
            tally.unsorted(untimed.size(), untimed.get(0).position);
        }
    }

    /** Null where nothing was answered. */
    private RecordedRequest recorded(Found one) throws BrokenLineException {
        requireGiven(one);
        LogTokenizer.Ids ids = tokenizer.ids(one.request);
        if (ids.response().length == 0) {
            tally.at(one.position);
            tally.pass("nothing answered");
            return null;
        }
        check("prompt", ids.prompt());
        check("response", ids.response());
        LoggedRequest request = one.request;
        String name = RecordedInput.nameWithoutEndings(file);
        String base = request.id() == null ? name + ":" + one.position.number() : request.id();
        String id = base + request.turn();
        if (id.length() > ID_CHARS_MAX) {
            throw new BrokenLineException(
                    "id has at most " + ID_CHARS_MAX + " characters", id.length() + " characters", "shorten it");
        }
        int kept = Math.min(ids.prompt().length, options.promptTokensMax());
        return new RecordedRequest(
                id,
                request.scope() == null ? options.scopeDefault() : request.scope(),
                request.workload() == null ? name : request.workload(),
                request.session() == null && !request.turn().isEmpty() ? base : request.session(),
                null,
                Arrays.copyOfRange(ids.prompt(), ids.prompt().length - kept, ids.prompt().length),
                ids.prompt().length,
                ids.response(),
                one.position);
    }

    /** What was not given ends the reading, whoever passes over bad lines. */
    private void requireGiven(Found one) {
        try {
            tokenizer.checkGiven(one.request);
        } catch (BrokenLineException e) {
            throw RecordedInputException.at(one.position, e);
        }
    }

    private void check(String field, int[] ids) throws BrokenLineException {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] >= options.vocabularySize()) {
                throw new BrokenLineException(
                        "token ids are below the vocabulary size " + options.vocabularySize(),
                        ids[i] + " at " + field + "[" + i + "]",
                        "give the vocabulary of the model that answered");
            }
        }
    }

    @Override
    public void close() {
        try {
            rows.close();
        } catch (IOException e) {
            throw RecordedInputException.unreadable(new Position(file, 0), e);
        }
    }
}
