package io.tailrace.bench.replay;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Trains the default weights: one mixer serves all workloads in turn, a request of each, every workload with a lane of its
 * own that starts empty, so that it meets both cold and warm lanes. The result is the mean of the weights over the last
 * third of the rounds. Before it writes them it says what they are worth: workloads are dealt into folds, and each fold is
 * replayed with weights that were trained on the others.
 */
public final class WeightTraining {
    static final String USAGE = "usage: WeightTraining REQUESTS TARGET.txt FILE.jsonl.gz...";
    private static final int BUDGET = 16;
    private static final int FOLDS = 4;

    private final DraftPolicy policy = new DraftPolicy(true, BUDGET, 0.003f, 0, new float[0]);
    private final PrintStream out;

    WeightTraining(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3) {
            throw new IllegalArgumentException(USAGE);
        }
        int requests = Integer.parseInt(arguments[0]);
        List<Workload> workloads = new ArrayList<>();
        for (String file : Arrays.asList(arguments).subList(2, arguments.length)) {
            workloads.add(Workload.read(Path.of(file), requests));
        }
        WeightTraining training = new WeightTraining(System.out);
        training.evaluate(workloads);
        write(training.train(workloads), Path.of(arguments[1]));
    }

    /** Weights learned from these workloads alone. */
    float[] train(List<Workload> workloads) {
        Mixer mixer = Mixer.untrained();
        AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, policy);
        List<ReplayLane> lanes = workloads.stream().map(w -> new ReplayLane()).collect(Collectors.toList());
        int rounds = workloads.stream().mapToInt(w -> w.cases().size()).max().orElse(0);
        double[] sum = new double[mixer.weights().length];
        int summed = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < lanes.size(); i++) {
                serve(drafter, workloads.get(i), round, lanes.get(i));
            }
            if (round >= rounds - Math.max(1, rounds / 3)) {
                add(mixer.weights(), sum);
                summed++;
            }
        }
        return mean(sum, summed);
    }

    /** Prints, for each workload, accepted/step over all its requests from a cold start: untrained, and trained on others. */
    void evaluate(List<Workload> workloads) {
        ReplayResult untrained = ReplayResult.none();
        ReplayResult trained = ReplayResult.none();
        for (int fold = 0; fold < FOLDS; fold++) {
            float[] weights = train(dealt(workloads, fold, false));
            for (Workload workload : dealt(workloads, fold, true)) {
                ReplayResult without = replay(workload, Mixer.untrained());
                ReplayResult with = replay(workload, Mixer.of(weights));
                print(workload.name(), without, with);
                untrained = untrained.plus(without);
                trained = trained.plus(with);
            }
        }
        print("pooled", untrained, trained);
    }

    private static List<Workload> dealt(List<Workload> workloads, int fold, boolean held) {
        List<Workload> part = new ArrayList<>();
        for (int i = 0; i < workloads.size(); i++) {
            if ((i % FOLDS == fold) == held) {
                part.add(workloads.get(i));
            }
        }
        return part;
    }

    private static void serve(AdaptiveDrafter drafter, Workload workload, int round, ReplayLane lane) {
        if (round < workload.cases().size()) {
            ReplayCase request = workload.cases().get(round);
            OnlineReplay.decode(drafter, request, lane.index(), BUDGET);
            lane.add(request.response());
        }
    }

    private ReplayResult replay(Workload workload, Mixer mixer) {
        return new OnlineReplay(workload.cases(), 0).run(new AdaptiveDrafter(mixer, policy), BUDGET);
    }

    private void print(String name, ReplayResult untrained, ReplayResult trained) {
        out.printf(
                Locale.ROOT,
                "%-16s untrained %.3f trained on others %.3f%n",
                name,
                untrained.acceptedPerStep(),
                trained.acceptedPerStep());
    }

    private static void add(float[] weights, double[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += weights[i];
        }
    }

    private static float[] mean(double[] sum, int summed) {
        float[] mean = new float[sum.length];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = summed == 0 ? 0 : (float) (sum[i] / summed);
        }
        return mean;
    }

    private static void write(float[] weights, Path target) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (float weight : weights) {
            lines.append(String.format(Locale.ROOT, "%.5f%n", weight));
        }
        Files.writeString(target, lines);
    }
}
