package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace snapshots propose}. */
@picocli.CommandLine.Command(
        name = "propose",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Proposes a policy: the job judges it on generations that neither it nor the live one has learned from,"
                        + " and adopts or refuses it with an event.")
final class ProposeCommand implements Callable<Integer> {
    @Mixin
    private LaneTopics.Options lane;

    @Mixin
    private Commanding commanding;

    @ArgGroup
    private GivenWeights weights = new GivenWeights();

    private static final class GivenWeights {
        @Option(
                names = "--weights",
                paramLabel = "FILE",
                description =
                        "Mixer weights of this release's layout, one number a line. Default: those that are live.")
        private Path file;

        @Option(names = "--default-weights", description = "The weights that the product ships with.")
        private boolean defaults;
    }

    @Bounds(min = 0, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            defaultValue = "16",
            paramLabel = "N",
            description = "Most draft tokens a verification. Default, whatever is live: ${DEFAULT-VALUE}.")
    private int budgetMax;

    @Option(
            names = "--probability-floor",
            defaultValue = "0.003",
            paramLabel = "P",
            description =
                    "No node below this path probability is drafted, 0 to 1. Default, whatever is live: ${DEFAULT-VALUE}.")
    private float floor;

    @Option(
            names = "--off",
            description = "Workers draft nothing for this lane; a policy without this option switches drafting on.")
    private boolean off;

    @Option(names = "--force", description = "Adopt it unjudged.")
    private boolean force;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        return commanding.give(
                lane,
                Command.PROPOSE_POLICY,
                policy(),
                force,
                spec.commandLine().getOut());
    }

    /** As it is sent: without weights the job goes on with those that are live. */
    Policy policy() {
        try {
            List<Float> numbers = numbers();
            DraftPolicy checked =
                    new DraftPolicy(!off, budgetMax, floor, numbers.isEmpty() ? 0 : Mixer.LAYOUT, array(numbers));
            return new Policy(
                    checked.enabled(),
                    checked.budgetMax(),
                    checked.probabilityFloor(),
                    checked.weightsLayout(),
                    numbers,
                    List.of(),
                    0L,
                    Instant.EPOCH,
                    0L);
        } catch (IllegalArgumentException | IOException e) {
            throw new BadInputException("this is no policy: " + Failures.message(e), e);
        }
    }

    private List<Float> numbers() throws IOException {
        List<Float> numbers = new ArrayList<>();
        if (weights.defaults) {
            for (float weight : Mixer.defaults().weights()) {
                numbers.add(weight);
            }
        } else if (weights.file != null) {
            for (String line : Files.readAllLines(weights.file)) {
                numbers.add(Float.parseFloat(line));
            }
            Mixer.of(array(numbers));
        }
        return numbers;
    }

    private static float[] array(List<Float> numbers) {
        float[] array = new float[numbers.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = numbers.get(i);
        }
        return array;
    }
}
