package io.tailrace.cli.serving;

import io.tailrace.tap.AnswerTokenizer;
import io.tailrace.terminal.BadInputException;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.huggingface.ModelConfigFile;
import io.tailrace.worker.model.ModelLoadException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The tokenizer of a model's folder, if one was given; closed with it.
 *
 * @param tokenizer empty: none was given
 */
record TapTokenizer(Optional<AnswerTokenizer> tokenizer) implements AutoCloseable {
    /** Reads tokenizer, chat template and what ends a turn. */
    static TapTokenizer load(Path folder) {
        try {
            return read(folder, DjlTokenizer.load(folder));
        } catch (ModelLoadException e) {
            throw new BadInputException("--tokenizer: " + e.getMessage(), e);
        }
    }

    private static TapTokenizer read(Path folder, DjlTokenizer tokenizer) {
        try {
            return new TapTokenizer(
                    Optional.of(new AnswerTokenizer(tokenizer, JinjaChatTemplate.read(folder), endToken(folder))));
        } catch (RuntimeException e) {
            tokenizer.close();
            throw e;
        }
    }

    static TapTokenizer none() {
        return new TapTokenizer(Optional.empty());
    }

    /** Of several, any may have ended a turn. */
    private static Optional<Integer> endToken(Path folder) {
        boolean said =
                Files.exists(folder.resolve("config.json")) || Files.exists(folder.resolve("generation_config.json"));
        int[] ends = said ? ModelConfigFile.endTokens(folder) : new int[0];
        return ends.length == 1 ? Optional.of(ends[0]) : Optional.empty();
    }

    @Override
    public void close() {
        tokenizer.ifPresent(each -> each.tokenizer().close());
    }
}
