package io.tailrace.lab.recorded;

import io.tailrace.lab.recorded.RecordedInput.PromptChains.Tail;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Replay input: the requests of several JSON-lines files, one file after the other, read as they are asked for. Plain, gzip or zstd,
 * told by the first bytes. Strict input ends with a {@link RecordedInputException} at the first bad line; lenient input
 * tells a listener, counts, and goes on. A file that is missing or unreadable ends both. One thread at a time.
 */
public final class RecordedInput implements RecordedRequests {
    private final Iterator<Path> files;
    private final RecordedInputOptions options;
    private final Consumer<RecordedInputException> badLineListener;
    private final PromptChains chains;
    private Path file;
    private LineReader lines;
    private RecordedRequest next;
    private long badLines;

    private RecordedInput(
            List<Path> files, RecordedInputOptions options, Consumer<RecordedInputException> badLineListener) {
        files.forEach(RecordedInput::checkReadable);
        this.files = List.copyOf(files).iterator();
        this.options = options;
        this.badLineListener = badLineListener;
        this.chains = new PromptChains(options.promptTokensMax(), options.chainTokensMax());
    }

    /** Input that throws at the first bad line. */
    public static RecordedInput strict(List<Path> files, RecordedInputOptions options) {
        return new RecordedInput(files, options, badLine -> {
            throw badLine;
        });
    }

    /** Input that tells the listener of each bad line and goes on. */
    public static RecordedInput lenient(
            List<Path> files, RecordedInputOptions options, Consumer<RecordedInputException> badLineListener) {
        return new RecordedInput(files, options, badLineListener);
    }

    /** Bad lines so far. */
    public long badLines() {
        return badLines;
    }

    @Override
    public boolean hasNext() {
        while (next == null && (lines != null || openNext())) {
            readLine();
        }
        return next != null;
    }

    @Override
    public RecordedRequest next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the replay input has ended");
        }
        RecordedRequest request = next;
        next = null;
        return request;
    }

    @Override
    public void close() {
        closeFile();
    }

    private void readLine() {
        try {
            if (!lines.next()) {
                closeFile();
            } else if (!lines.blank()) {
                next = request();
            }
        } catch (BrokenLineException e) {
            badLines++;
            badLineListener.accept(RecordedInputException.at(new RecordedRequest.Position(file, lines.number()), e));
        } catch (IOException e) {
            throw RecordedInputException.unreadable(new RecordedRequest.Position(file, lines.number() + 1), e);
        }
    }

    private RecordedRequest request() throws BrokenLineException {
        if (lines.tooLong()) {
            throw new BrokenLineException(
                    "a line has at most " + options.lineBytesMax() + " bytes", "more", "split the request");
        }
        RecordedLine line = RecordedLine.parse(lines.bytes(), lines.length(), options.vocabularySize());
        if (chains.tail(line.id) != null) {
            throw new BrokenLineException(
                    "an id stands once in a file", "'" + line.id + "' again", "rename or remove the request");
        }
        Tail prompt = chains.extend(parentTail(line), line.prompt);
        chains.put(line.id, chains.extend(prompt, line.response));
        return new RecordedRequest(
                line.id,
                line.scope == null ? options.scopeDefault() : line.scope,
                line.workload == null ? nameWithoutEndings(file) : line.workload,
                line.session,
                line.parent,
                prompt.tokens(),
                prompt.fullLength(),
                line.response,
                new RecordedRequest.Position(file, lines.number()));
    }

    private Tail parentTail(RecordedLine line) throws BrokenLineException {
        if (line.parent == null) {
            return Tail.EMPTY;
        }
        Tail tail = chains.tail(line.parent);
        if (tail == null) {
            throw new BrokenLineException(
                    "a parent stands earlier in the same file, within the last " + options.chainTokensMax()
                            + " chained tokens",
                    "unknown parent '" + line.parent + "'",
                    "put the parent's line before this one, or write the full prompt without a parent");
        }
        return tail;
    }

    private boolean openNext() {
        if (!files.hasNext()) {
            return false;
        }
        file = files.next();
        chains.clear();
        try {
            lines = new LineReader(Packing.open(file), options.lineBytesMax());
            return true;
        } catch (IOException e) {
            throw RecordedInputException.unreadable(new RecordedRequest.Position(file, 0), e);
        }
    }

    private void closeFile() {
        if (lines == null) {
            return;
        }
        try {
            lines.close();
        } catch (IOException e) {
            throw RecordedInputException.unreadable(new RecordedRequest.Position(file, 0), e);
        } finally {
            lines = null;
        }
    }

    /** Refuses what is no file that can be read. */
    public static void checkReadable(Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new RecordedInputException(
                    file,
                    0,
                    "an input is a readable file",
                    Files.exists(file) ? "something else" : "no such file",
                    "check the path");
        }
    }

    /**
     * Refuses a file to be written that is one of those to be read, by whatever name, before either is touched.
     *
     * @param option names the file to be written
     * @param output null: none is written
     */
    public static void checkKept(String option, Path output, Collection<Path> inputs) {
        for (Path input : inputs) {
            if (output != null && isSame(output, input)) {
                throw new BadInputException(
                        "%s %s: the same file as the input %s, which it would replace; name another file"
                                .formatted(option, output, input));
            }
        }
    }

    /** What to say where none of the inputs holds a request. */
    public static BadInputException nothingIn(Collection<Path> inputs) {
        return new BadInputException("%s: an input holds at least one request with its answer, got none; "
                        .formatted(inputs.stream().map(Path::toString).collect(Collectors.joining(", ")))
                + "check the file, and --format if it was given");
    }

    private static boolean isSame(Path output, Path input) {
        try {
            return Files.exists(output) && Files.exists(input) && Files.isSameFile(output, input);
        } catch (IOException e) {
            throw RecordedInputException.unreadable(new RecordedRequest.Position(input, 0), e);
        }
    }

    /** What requests of a file belong to that name no workload. */
    public static String nameWithoutEndings(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.indexOf('.', 1);
        return dot < 0 ? name : name.substring(0, dot);
    }

    /**
     * What requests that name a parent go on from: the end of each earlier request's full prompt and response, cut to the tokens
     * a prompt may have. Bounded by a number of tokens; those used longest ago are forgotten first.
     */
    static final class PromptChains {
        private final int promptTokensMax;
        private final long chainTokensMax;
        private final Map<String, Tail> tails = new LinkedHashMap<>(64, 0.75f, true);
        private long keptTokens;

        /** The end of a conversation so far, and its full length. */
        record Tail(int[] tokens, int fullLength) {
            static final Tail EMPTY = new Tail(new int[0], 0);
        }

        PromptChains(int promptTokensMax, long chainTokensMax) {
            this.promptTokensMax = promptTokensMax;
            this.chainTokensMax = chainTokensMax;
        }

        /** Null if there was no such request, or it is forgotten. */
        Tail tail(String id) {
            return tails.get(id);
        }

        /** The tail, gone on by {@code tokens}. */
        Tail extend(Tail tail, int[] tokens) {
            int kept = Math.min(promptTokensMax, tail.tokens().length + tokens.length);
            int[] end = new int[kept];
            int fromTokens = Math.min(kept, tokens.length);
            int fromTail = kept - fromTokens;
            System.arraycopy(tail.tokens(), tail.tokens().length - fromTail, end, 0, fromTail);
            System.arraycopy(tokens, tokens.length - fromTokens, end, fromTail, fromTokens);
            return new Tail(end, tail.fullLength() + tokens.length);
        }

        /** Of an id that is not there yet. */
        void put(String id, Tail tail) {
            tails.put(id, tail);
            keptTokens += tail.tokens().length;
            Iterator<Tail> oldest = tails.values().iterator();
            while (keptTokens > chainTokensMax && oldest.hasNext()) {
                keptTokens -= oldest.next().tokens().length;
                oldest.remove();
            }
        }

        void clear() {
            tails.clear();
            keptTokens = 0;
        }
    }
}
