package io.tailrace.lab.convert;

import io.tailrace.lab.logs.LogArguments;
import io.tailrace.lab.logs.Logs;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.recorded.RecordedRequests;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** Logs to be read one after the other, with their prompts in full. */
final class LogInputs {
    private static final int PROMPT_TOKENS_MAX = 1 << 21;

    static final String FILES = "Logs, or recorded requests as token ids; several or repeated."
            + " Of a batch, the file of the requests stands before that of the responses.";

    @Mixin
    private LogArguments text = new LogArguments();

    /** Of the tokenizer, if one was given. */
    Optional<Integer> vocabulary() {
        return text.vocabulary();
    }

    RecordedRequests open(
            List<Path> files, int vocabulary, PrintWriter out, Consumer<RecordedInputException> badLines) {
        Logs logs = text.logs();
        RecordedInputOptions options = RecordedInputOptions.of(vocabulary).withPromptTokensMax(PROMPT_TOKENS_MAX);
        return new Joined(
                files,
                file -> logs.open(file, options, badLines, out::println),
                () -> logs.unanswered().ifPresent(out::println));
    }

    /** All files' requests. */
    private static final class Joined implements RecordedRequests {
        private final Deque<Path> files;
        private final Function<Path, RecordedRequests> opener;
        private RecordedRequests current;
        private Runnable atEnd;

        private Joined(List<Path> files, Function<Path, RecordedRequests> opener, Runnable atEnd) {
            this.files = new ArrayDeque<>(files);
            this.opener = opener;
            this.atEnd = atEnd;
        }

        @Override
        public boolean hasNext() {
            while (current == null || !current.hasNext()) {
                close();
                if (files.isEmpty()) {
                    atEnd.run();
                    atEnd = () -> {};
                    return false;
                }
                current = opener.apply(files.poll());
            }
            return true;
        }

        @Override
        public RecordedRequest next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the logs have ended");
            }
            return current.next();
        }

        @Override
        public void close() {
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }
}
