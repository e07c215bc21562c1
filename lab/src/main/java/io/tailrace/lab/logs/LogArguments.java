package io.tailrace.lab.logs;

import io.tailrace.terminal.BadInputException;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.TextTokenizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How logs of text are read. */
public final class LogArguments {
    @Option(
            names = "--tokenizer",
            paramLabel = "FOLDER|FILE",
            description = "Of the model that answered, for logs of text: its folder as Hugging Face lays it out, or a"
                    + " tokenizer.json.")
    private Path tokenizer;

    @Option(
            names = "--chat-template",
            paramLabel = "FILE",
            description = "A chat template in Jinja. Default: that of the tokenizer's folder.")
    private Path chatTemplate;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description =
                    "Of the inputs: ids, openai, sharegpt, vllm, sglang, litellm, langfuse, columns. Default: recognised.")
    private String format;

    @Option(
            names = "--columns",
            split = ",",
            paramLabel = "WHAT=NAME",
            description = "Where a table has them: prompt, response, and if there are any id, session, scope, workload,"
                    + " tools, time. Default: usual names.")
    private Map<String, String> columns = new LinkedHashMap<>();

    /** Ready to open logs; loads the tokenizer, if one was given. */
    public Logs logs() {
        LogFormat given = format == null ? null : LogFormat.named(format);
        if (!columns.isEmpty()) {
            new ColumnsShape(columns); // refuses what it does not know
        }
        return new Logs(given, columns, new LogTokenizer(loaded(), template()));
    }

    /** Of the tokenizer; empty without one. */
    public Optional<Integer> vocabulary() {
        return loaded().map(TextTokenizer::vocabularySize);
    }

    private Optional<TextTokenizer> loaded() {
        try {
            return tokenizer == null ? Optional.empty() : Optional.of(DjlTokenizer.load(tokenizer));
        } catch (ModelLoadException e) {
            throw new BadInputException("--tokenizer: " + e.getMessage(), e);
        }
    }

    private Optional<JinjaChatTemplate> template() {
        if (tokenizer == null) {
            return Optional.empty();
        }
        Path folder = Files.isDirectory(tokenizer)
                ? tokenizer
                : tokenizer.toAbsolutePath().getParent();
        try {
            return chatTemplate == null
                    ? JinjaChatTemplate.find(folder)
                    : Optional.of(JinjaChatTemplate.of(chatTemplate, folder));
        } catch (ModelLoadException e) {
            String option = chatTemplate == null ? "--tokenizer: " : "--chat-template: ";
            throw new BadInputException(option + e.getMessage(), e);
        }
    }
}
