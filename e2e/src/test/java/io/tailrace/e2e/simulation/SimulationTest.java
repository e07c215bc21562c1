package io.tailrace.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.store.TaskFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lives of installations. One seed alone: {@code -Dtailrace.simulation.seed=7}; so many of them: {@code -Dtailrace.simulation.seeds=10000};
 * the first: {@code -Dtailrace.simulation.from=5000}.
 */
class SimulationTest {
    private static final String HOUSE = "io.tailrace";
    /** So many, of which one is of signed records. */
    private static final int TWICE = 8;
    /** A fault that is put back is found by then. */
    private static final int FAULTY_SEEDS = 1_000;

    @TempDir(factory = InMemory.class)
    Path folder;

    /** Lives make and remove folders all the time, and on a disk wait for that most: it lies in memory where the system has a folder there. */
    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "simulation")
                    : Files.createTempDirectory("simulation");
        }
    }

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
        Seeds.of(System.getProperties()).stream().parallel().forEach(seed -> live(seed, Fault.NONE));
    }

    /** One is enough, and records may flow. */
    @Test
    void anAuditFindsWhatAdmissionSwallows() {
        assertThatThrownBy(() -> live(0, Fault.ADMISSION_SWALLOWS_RECORDS))
                .hasCauseInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("an audit finds")
                .hasMessageContaining("are in no account");
    }

    /** What a clock or the order of a hash decides is another in another process. */
    @Test
    void aSeedLivesTheSameLifeInAnotherProcess() throws Exception {
        Path there = folder.resolve("there");
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Accounts.class.getName(),
                        Integer.toString(TWICE),
                        Files.createDirectory(folder.resolve("other")).toString(),
                        there.toString())
                .inheritIO()
                .start();
        List<String> here = Accounts.of(TWICE, Files.createDirectory(folder.resolve("own")));
        assertThat(other.waitFor()).isZero();
        assertThat(Files.readAllLines(there)).isEqualTo(here);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @Tag("full")
    void aFaultThatIsPutBackBreaksARule(Fault fault) {
        OptionalLong found = LongStream.range(0, FAULTY_SEEDS)
                .parallel()
                .filter(seed -> breaksARule(seed, fault))
                .findFirst();
        assertThat(found).as("%s in seeds 0 to %d", fault, FAULTY_SEEDS - 1).isPresent();
        System.out.printf("%s is found by seed %d%n", fault, found.getAsLong());
    }

    private boolean breaksARule(long seed, Fault fault) {
        try {
            live(seed, fault);
            return false;
        } catch (AssertionError broken) {
            assertThat(broken).hasCauseInstanceOf(BrokenInvariantException.class);
            return true;
        }
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
