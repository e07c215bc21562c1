package io.tailrace.bench.replay;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Replays workloads with the default drafter and prints accepted/step and draft times, per workload and pooled. Each run
 * starts with an empty lane and an untrained mixer, so that no figure owes anything to having seen its workload before.
 */
public final class ReplayExperiment {
    private static final String[] HEADINGS = {
        "workload", "budget", "steps", "accepted/step", "drafted/step", "tokens/step", "p50 us", "p99 us"
    };

    private final PrintStream out;
    private final ReplayOptions options;

    ReplayExperiment(ReplayOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] arguments) {
        new ReplayExperiment(ReplayOptions.parse(arguments), System.out).run();
    }

    void run() {
        ReplayResult[] pooled = new ReplayResult[options.budgets().length];
        out.printf(Locale.ROOT, "%-16s %6s %9s %13s %13s %12s %9s %9s%n", (Object[]) HEADINGS);
        for (Path file : options.files()) {
            Workload workload = Workload.read(file, options.requests());
            OnlineReplay replay = new OnlineReplay(workload.cases());
            for (int i = 0; i < pooled.length; i++) {
                ReplayResult result = replay.run(drafter(), options.budgets()[i]);
                pooled[i] = pooled[i] == null ? result : pooled[i].plus(result);
                print(workload.name(), options.budgets()[i], result);
            }
        }
        for (int i = 0; i < pooled.length; i++) {
            print("pooled", options.budgets()[i], pooled[i]);
        }
    }

    private void print(String name, int budget, ReplayResult result) {
        out.printf(
                Locale.ROOT,
                "%-16s %6d %9d %13.3f %13.2f %12.3f %9.1f %9.1f%n",
                name,
                budget,
                result.steps(),
                result.acceptedPerStep(),
                result.draftedPerStep(),
                result.tokensPerStep(),
                result.draftNanos().quantile(0.5) / 1e3,
                result.draftNanos().quantile(0.99) / 1e3);
    }

    private static Drafter drafter() {
        DraftPolicy defaults = DraftPolicy.defaults();
        DraftPolicy unlimited = new DraftPolicy(
                true,
                DraftPolicy.BUDGET_MAX,
                defaults.probabilityFloor(),
                defaults.weightsLayout(),
                defaults.weights());
        return new AdaptiveDrafter(Mixer.untrained(), unlimited);
    }
}
