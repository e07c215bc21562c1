package io.tailrace.cli.serving;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The model's folder where one must be given. */
final class GivenModelFolder implements ModelFolder {
    @Option(
            names = "--model",
            required = true,
            paramLabel = "FOLDER",
            description = "The model's folder, as from Hugging Face.")
    private Path folder;

    @Override
    public Path path() {
        return folder;
    }
}
