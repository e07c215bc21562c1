package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker goes while workers serve and the job runs, and comes back with its data. */
class OutageIT {
    private static final long SEED = 20_261_121L;
    private static final int ANSWERS = 20;

    @TempDir
    private Path folder;

    @Test
    void answersGivenWhileTheBrokerIsAwayAreIndexedOnceItIsBack() throws Exception {
        try (LoopUnderLoad loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL));
                LoopObserver observer = loop.observe()) {
            Fleet fleet = new Fleet(loop, observer, SEED);
            LoadWorker worker = loop.addWorker("worker");
            worker.serve(fleet.request("before", "alpha"));
            fleet.awaitSettled();
            loop.loop().stopBroker();
            for (int i = 0; i < ANSWERS; i++) {
                worker.serve(fleet.request("meanwhile-" + i, "alpha"));
            }
            loop.loop().startBroker();
            fleet.awaitRead(1 + ANSWERS);
            assertThat(fleet.awaitSettled().records().admitted()).isEqualTo(1 + ANSWERS);
            fleet.awaitLoaded(worker, "alpha");
        }
    }
}
