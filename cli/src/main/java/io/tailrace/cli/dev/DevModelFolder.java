package io.tailrace.cli.dev;

import io.tailrace.cli.serving.ModelFolder;
import io.tailrace.terminal.WorkFolder;
import io.tailrace.worker.smallmodel.SmallLlama;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The model's folder; one that is made where none is given. */
final class DevModelFolder implements ModelFolder {
    @Option(
            names = "--model",
            paramLabel = "FOLDER",
            description =
                    "The model's folder, as from Hugging Face. Default: a small Llama with random weights, made once in"
                            + " .tailrace/models.")
    private Path folder;

    @Override
    public Path path() {
        return folder == null ? WorkFolder.home().resolve("models").resolve(SmallLlama.NAME) : folder;
    }

    /** Makes the model where none is given, and says what it is. */
    void prepare(PrintWriter out) throws IOException {
        if (folder == null) {
            SmallLlama.make(path());
            out.println(
                    "Serves %s, a Llama of random weights: its text means nothing. --model FOLDER serves a model of yours."
                            .formatted(SmallLlama.NAME));
        }
    }
}
