package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.terminal.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the options of {@code snapshots propose} send. */
final class ProposeCommandTest {
    @TempDir
    Path folder;

    private static Policy policy(String... arguments) {
        ProposeCommand command = new ProposeCommand();
        List<String> all = new ArrayList<>(List.of("--bootstrap", "localhost:1", "--lane", "m@1/s"));
        all.addAll(List.of(arguments));
        new CommandLine(command).parseArgs(all.toArray(String[]::new));
        return command.policy();
    }

    private static List<Float> shipped() {
        List<Float> shipped = new ArrayList<>();
        for (float weight : Mixer.defaults().weights()) {
            shipped.add(weight);
        }
        return shipped;
    }

    @Test
    void withoutWeightsNoneAreSentSoThatThoseThatAreLiveGoOn() {
        for (Policy policy : List.of(policy(), policy("--off"), policy("--budget", "31", "--force"))) {
            assertThat(policy.getWeights()).isEmpty();
            assertThat(policy.getWeightsLayout()).isZero();
        }
        assertThat(policy("--off").getEnabled()).isFalse();
        assertThat(policy("--budget", "31").getBudgetMax()).isEqualTo(31);
        assertThat(policy("--budget", "31").getEnabled()).isTrue();
    }

    @Test
    void theProductsWeightsAreSentWhereTheyAreAskedFor() {
        Policy policy = policy("--default-weights", "--budget", "8");
        assertThat(policy.getWeights()).isEqualTo(shipped());
        assertThat(policy.getWeightsLayout()).isEqualTo(Mixer.LAYOUT);
        assertThat(policy.getBudgetMax()).isEqualTo(8);
    }

    @Test
    void weightsComeFromAFileOfOneNumberALine() throws Exception {
        Path file = folder.resolve("weights.txt");
        Files.write(
                file,
                shipped().stream().map(weight -> Float.toString(weight / 2)).toList());
        Policy policy = policy("--weights", file.toString());
        assertThat(policy.getWeights())
                .isEqualTo(shipped().stream().map(weight -> weight / 2).toList());
        assertThat(policy.getWeightsLayout()).isEqualTo(Mixer.LAYOUT);
    }

    @Test
    void aFileThatHoldsNoWeightsOfThisLayoutIsRefused() throws Exception {
        Path file = folder.resolve("weights.txt");
        for (String text : List.of("", "1\n2\n3\n", "one\n", "NaN\n")) {
            Files.writeString(file, text);
            assertThatThrownBy(() -> policy("--weights", file.toString()))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageStartingWith("this is no policy: ");
        }
    }

    @Test
    void twoKindsOfWeightsContradictEachOther() {
        assertThatThrownBy(() -> policy("--default-weights", "--weights", "weights.txt"))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining("mutually exclusive");
    }
}
