package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private UserCommanding commanding;

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
        Policy policy = policy();
        commanding
                .commander(lane)
                .give(
                        lane.lane(),
                        Command.PROPOSE_POLICY,
                        policy,
                        force,
                        UserCommanding.printing(spec.commandLine().getOut()));
        return ExitCodes.DONE;
    }

    /** As it is sent. */
    Policy policy() {
        try {
            return ProposedPolicy.of(!off, budgetMax, floor, numbers());
        } catch (IllegalArgumentException | IOException e) {
            throw new BadInputException("this is no policy: " + Failures.message(e), e);
        }
    }

    private float[] numbers() throws IOException {
        if (weights.defaults) {
            return Mixer.defaults().weights();
        }
        if (weights.file == null) {
            return new float[0];
        }
        List<String> lines = Files.readAllLines(weights.file);
        float[] numbers = new float[lines.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Float.parseFloat(lines.get(i));
        }
        return Mixer.of(numbers).weights();
    }
}
