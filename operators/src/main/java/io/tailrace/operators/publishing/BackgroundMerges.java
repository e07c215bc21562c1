package io.tailrace.operators.publishing;

import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.TaskFolder;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task's side threads with all that they hold: they do what plans say and sweep files away, and touch no state. Folds have threads of their own: what
 * announcements wait for does not wait for merges of older segments, sweeps and files that are read back.
 */
final class BackgroundMerges {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundMerges.class);
    private static final long CLOSE_SECONDS_MAX = 10;

    private final DurableStore store;
    private final TaskFolder scratch;
    private final SegmentMerge merge;
    private final MergeHeap heap;
    private final ExecutorService folds;
    private final ExecutorService others;

    private BackgroundMerges(
            DurableStore store, TaskFolder scratch, SegmentMerge merge, MergeHeap heap, SideThreads threads) {
        this.store = store;
        this.scratch = scratch;
        this.merge = merge;
        this.heap = heap;
        this.folds = threads.open();
        this.others = threads.open();
    }

    /**
     * Opens what they need.
     *
     * @param scratchParent folder for local copies and scratch files; empty: the JVM's temporary folder
     * @param threads opened once for folds and once for all else
     */
    static BackgroundMerges open(
            ModelCatalog models,
            DurableStore.Factory stores,
            String scratchParent,
            long cacheBytesMax,
            MergeHeap heap,
            SideThreads threads)
            throws IOException {
        DurableStore store = stores.open();
        TaskFolder scratch = TaskFolder.create(scratchParent, "lanes");
        SegmentMerge merge = SegmentMerge.create(models, store, scratch, cacheBytesMax, heap);
        return new BackgroundMerges(store, scratch, merge, heap, threads);
    }

    /** What merges may take of the heap. */
    MergeHeap heap() {
        return heap;
    }

    /** The result waits in the lane's queue at the end; a lane that never heard of an end would rest for ever. */
    void submit(MergePlan plan, LaneWork work) {
        ExecutorService threads = plan.kind() == MergePlan.Kind.FOLD ? folds : others;
        work.begun(plan, threads.submit(() -> {
            try {
                work.results.add(merge.run(plan));
            } catch (Throwable e) { // the top of this thread: the lane's task hears of it by the outcome
                work.results.add(MergePlan.Outcome.failed(plan, e));
            }
        }));
    }

    /**
     * Removes the lane's files that nothing names any more, looks after those that are missing, and reads some back; unless that is under way. Does of it what
     * is due.
     *
     * @param durableTo what was named last before then may go
     */
    void sweep(LaneWork work, Set<String> named, long durableTo, long now) {
        if (work.files.sweepInFlight) {
            return;
        }
        boolean sweeps = work.files.sweepPace.begins(named, now);
        Optional<String> scrubbed = work.files.scrubbed(named, now);
        if (!sweeps && scrubbed.isEmpty()) {
            return;
        }
        work.files.sweepInFlight = true;
        others.execute(() -> {
            Iterator<DurableStore.StoredFile> due = Collections.emptyIterator();
            try {
                due = sweeps ? sweepNow(work, named, durableTo, now) : due;
                scrubbed.ifPresent(path -> inspect(path, work));
            } catch (IOException
                    | RuntimeException e) { // of a store's client, too: a lane's files are looked after for ever
                work.files.sweepPace.soon();
                LOG.warn("lane {}: sweep failed, it is tried again: {}", work.laneId, e.getMessage());
            } finally {
                readBack(work, due);
            }
        });
    }

    private Iterator<DurableStore.StoredFile> sweepNow(LaneWork work, Set<String> named, long durableTo, long now)
            throws IOException {
        StoreSweep.Swept swept = work.files.sweep.run(store, merge::remove, named, durableTo, now);
        if (swept.removed() > 0) {
            LOG.info("lane {}: {} files that nothing names any more were removed", work.laneId, swept.removed());
        }
        List<DurableStore.StoredFile> due = work.files.readBack.due(swept.named());
        boolean isAllThere = swept.named().size() == named.size();
        if (isAllThere && swept.unnamed() == 0 && due.isEmpty()) {
            work.files.sweepPace.foundNothing();
        } else {
            work.files.sweepPace.soon();
        }
        for (String missing : swept.missing()) {
            inspect(missing, work);
        }
        return due.iterator();
    }

    /** One file after the other, so that a merge that is wanted meanwhile comes between two. */
    private void readBack(LaneWork work, Iterator<DurableStore.StoredFile> due) {
        if (!due.hasNext() || others.isShutdown()) {
            work.files.sweepInFlight = false;
            return;
        }
        DurableStore.StoredFile file = due.next();
        if (inspect(file.path(), work)) {
            work.files.readBack.intact(file);
        }
        others.execute(() -> readBack(work, due));
    }

    /** True if the store has the file as it was written. If not, the lane is soon looked after again. */
    private boolean inspect(String path, LaneWork work) {
        try {
            if (merge.inspect(work.laneId.toString(), path) == SegmentMerge.Found.INTACT) {
                work.files.intact.add(path);
                return true;
            }
            work.files.mended.add(path);
        } catch (SegmentMerge.UnreadableFileException e) {
            LOG.warn("lane {}: {}", work.laneId, e.getMessage());
            work.files.unreadable.add(path);
        } catch (IOException | RuntimeException e) {
            LOG.warn("lane {}: {} could not be read back, it is tried again: {}", work.laneId, path, e.toString());
        }
        work.files.sweepPace.soon();
        return false;
    }

    void close() throws IOException, InterruptedException {
        folds.shutdownNow();
        others.shutdownNow();
        boolean ended = folds.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        if (!ended || !others.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
            LOG.warn(
                    "a merge still runs after {} s; its files are left behind in {}",
                    CLOSE_SECONDS_MAX,
                    scratch.root());
        }
        scratch.close();
        store.close();
    }
}
