package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.terminal.BadInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a log is written by. Recognised in this order. */
enum LogFormat {
    IDS,
    VLLM,
    SGLANG,
    SHAREGPT,
    LITELLM,
    LANGFUSE,
    OPENAI,
    COLUMNS;

    static LogFormat named(String name) {
        return Arrays.stream(values())
                .filter(format -> format.text().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new BadInputException("--format must be one of %s, got %s".formatted(names(), name)));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String names() {
        return Arrays.stream(values()).map(LogFormat::text).collect(Collectors.joining(", "));
    }

    /** One of its own for each reading: some join records. Null: token ids, which have a reader of their own. */
    LogShape shape(Map<String, String> columns) {
        return switch (this) {
            case IDS -> null;
            case VLLM -> new VllmShape();
            case SGLANG -> new SglangShape();
            case SHAREGPT -> new ShareGptShape();
            case LITELLM -> new LiteLlmShape();
            case LANGFUSE -> new LangfuseShape();
            case OPENAI -> new OpenAiShape();
            case COLUMNS -> new ColumnsShape(columns);
        };
    }

    /** The format of a record. */
    static LogFormat of(JsonNode row, Map<String, String> columns) throws BrokenLineException {
        if (!columns.isEmpty()) {
            return COLUMNS;
        }
        boolean ids =
                LogFields.isIds(row.path("response")) && (row.path("prompt").isArray() || !row.has("prompt"));
        if (ids && row.path("response").isArray()) {
            return IDS;
        }
        for (LogFormat format : List.of(VLLM, SGLANG, SHAREGPT, LITELLM, LANGFUSE, OPENAI, COLUMNS)) {
            if (format.shape(columns).fits(row)) {
                return format;
            }
        }
        throw new BrokenLineException(
                "a record has fields of a known format",
                "fields " + Exchanges.names(row),
                "name the columns (--columns prompt=NAME,response=NAME) or the format (--format " + names() + ")");
    }
}
