package io.tailrace.testkit.llama;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A small pretrained model that may lie beside the repository. */
public final class PretrainedModel {
    private static final Path PLACE = Path.of("shared", "models", "tinystories-656k");

    private PretrainedModel() {}

    /** The model's directory, searched for upwards from here; says so where there is none. */
    public static Optional<Path> find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve(PLACE).resolve("config.json"))) {
                return Optional.of(at.resolve(PLACE));
            }
        }
        System.out.printf(
                "NOT RUN: %s is in no folder above this one; tests with a pretrained model are skipped%n", PLACE);
        return Optional.empty();
    }
}
