package io.tailrace.e2e.simulation;

import io.tailrace.operators.store.TaskFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lives of installations. One seed alone: {@code -Dtailrace.simulation.seed=7}; more of them: {@code -Dtailrace.simulation.seeds=10000}. */
class SimulationTest {
    private static final String HOUSE = "io.tailrace";
    private static final int SEEDS = 500;

    @TempDir
    Path folder;

    /** Lives are full of what the product warns of. */
    @BeforeAll
    static void quiet() {
        Configurator.setAllLevels(HOUSE, Level.OFF);
    }

    @AfterAll
    static void loud() {
        Configurator.setAllLevels(HOUSE, Level.INFO);
    }

    @Test
    void noRuleIsBroken() {
        Long alone = Long.getLong("tailrace.simulation.seed");
        long from = alone == null ? 0 : alone;
        long to = alone == null ? Integer.getInteger("tailrace.simulation.seeds", SEEDS) : alone + 1;
        LongStream.range(from, to).parallel().forEach(seed -> live(seed, Fault.NONE));
    }

    private void live(long seed, Fault fault) {
        Path own = folder.resolve(fault + "-" + seed);
        try {
            new Life(seed, fault, Files.createDirectory(own)).live();
            TaskFolder.remove(own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
