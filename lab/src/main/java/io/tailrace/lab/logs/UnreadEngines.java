package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.BrokenLineException;
import java.util.regex.Pattern;

/** Engines whose logs do not tell what was answered, or not to whom. */
enum UnreadEngines {
    LLAMA_CPP(
            "llama.cpp's server",
            "(?m)^(?:[\\d.]+ [A-Z] )?(?:srv  +\\w{1,12}: |slot +\\w{1,12}: id +-?\\d+ \\| task )"),
    TGI(
            "text-generation-inference",
            "(?m)^(?:[^\\d{]{0,8}\\d{4}-\\d\\d-\\d\\dT\\S+ .*\\b|\\{\"timestamp\":\"[^\"]*\",\"level\":.*\"target\":\")text_generation_");

    private final String engine;
    private final Pattern line;

    UnreadEngines(String engine, String line) {
        this.engine = engine;
        this.line = Pattern.compile(line);
    }

    /**
     * Looks at a file's beginning.
     *
     * @throws BrokenLineException if it is a log of one of these
     */
    static void refuse(String begin) throws BrokenLineException {
        for (UnreadEngines each : values()) {
            if (each.line.matcher(begin).find()) {
                throw new BrokenLineException(
                        "a server's log joins each answer to its prompt",
                        "a log of " + each.engine + ", which does not",
                        "log its calls in the client, or through a proxy that writes both (LiteLLM)");
            }
        }
    }
}
