package io.tailrace.cli.dev;

import io.tailrace.client.follow.ServedModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Producers of a running loop, ready to be run, and a question to its worker.
 *
 * @param api address of the worker, without a path
 * @param bootstrap address of the broker
 */
record Publishers(String api, String bootstrap, ServedModel model, String scope) {
    static final String PYTHON = "publish.py";
    static final String JAVASCRIPT = "publish.mjs";

    /** Writes the programs, with this loop's addresses and lane in them. */
    void writeTo(Path folder) {
        for (String name : new String[] {PYTHON, JAVASCRIPT}) {
            write(folder.resolve(name), program(name));
        }
    }

    /** Asks the worker, whose answer is published. */
    String question() {
        return """
                curl -s %s/v1/completions -H 'Content-Type: application/json' \\
                    -d '{"model": "%s", "prompt": "Once upon a time", "max_tokens": 60, "temperature": 0}'""".formatted(api, model.model());
    }

    private static void write(Path file, String program) {
        try {
            Files.writeString(file, program);
        } catch (IOException e) {
            throw new UncheckedIOException("the producer cannot be written to " + file, e);
        }
    }

    private String program(String name) {
        try (InputStream template = Publishers.class.getResourceAsStream(name)) {
            return new String(template.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@API@", api)
                    .replace("@BOOTSTRAP@", bootstrap)
                    .replace("@MODEL@", model.model())
                    .replace("@REVISION@", model.revision())
                    .replace("@SCOPE@", scope);
        } catch (IOException e) {
            throw new UncheckedIOException("the producer " + name + " cannot be read", e);
        }
    }
}
