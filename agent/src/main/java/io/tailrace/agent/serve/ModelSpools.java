package io.tailrace.agent.serve;

import io.tailrace.client.report.Reporter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where an agent's models have their spools.
 *
 * @param folder has a folder of each model
 * @param opener sends what is in one of these
 */
public record ModelSpools(Path folder, Opener opener) {
    /** Opens a model's folder. */
    @FunctionalInterface
    public interface Opener {
        /**
         * A reporter that brings what is there to Kafka.
         *
         * @throws IOException if the folder cannot be used
         */
        Reporter open(Path ofModel) throws IOException;
    }
}
