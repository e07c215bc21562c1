package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.operators.publishing.SimulatedPublishers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** What a job may write to the store and remove from it. The job may bear what is thrown to it here, so the truth hears of it, too. */
final class StoreRules implements SimulatedStore.Use {
    private final Truth truth;
    private final SimulatedJob job;

    StoreRules(Truth truth, SimulatedJob job) {
        this.truth = truth;
        this.job = job;
    }

    @Override
    public void put(String path, Path localFile) throws IOException {
        heard(() -> checkPath(path));
        truth.wrote(path, localFile);
    }

    @Override
    public void delete(String path) {
        heard(() -> {
            checkPath(path);
            checkSwept(path);
        });
    }

    private void heard(Runnable check) {
        try {
            check.run();
        } catch (BrokenInvariantException e) {
            truth.broken(e);
            throw e;
        }
    }

    private static void checkPath(String path) {
        if (!path.matches("segments/toy@1/(acme|zenith)/[0-9a-f]{64}\\.(segment|sidecar)")) {
            throw broken("a file outside the lanes' folders was touched: %s", path);
        }
    }

    /** What the job that counts names must not be swept, or, while that is down, what it will be restored from names. */
    private void checkSwept(String path) {
        SimulatedJob ruling = truth.ruling();
        if (ruling == null) {
            return;
        }
        boolean runs = ruling.run() != null;
        Checkpoint newest = ruling.newest();
        OperatorState state = runs
                ? ruling.run().state("publisher")
                : newest == null ? new OperatorState() : newest.states().get("publisher");
        if (named(state, lane(path)).contains(path)) {
            throw broken("job %d removed %s, which the state of job %d names", job.number(), path, ruling.number());
        }
    }

    private static String lane(String path) {
        String[] parts = path.split("/", -1);
        return parts[1] + "/" + parts[2];
    }

    private static Set<String> named(OperatorState publisher, String lane) {
        Object state = publisher.of(SimulatedPublishers.LANE).get(lane);
        return state == null ? Set.of() : SimulatedPublishers.named(state, World.PUBLISHING);
    }
}
