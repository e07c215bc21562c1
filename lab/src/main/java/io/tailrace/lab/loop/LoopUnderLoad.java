package io.tailrace.lab.loop;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.local.LocalLoop;
import io.tailrace.operators.admission.ModelCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A loop in this process, and as many workers that serve recorded requests as are added. Workers are closed before the loop. */
public final class LoopUnderLoad implements AutoCloseable {
    private final LocalLoop loop;
    private final Path folder;
    private final ServedModel model;
    private final LoadWorker.Serving serving;
    private final FreshFrom freshFrom;
    private final List<LoadWorker> workers = new ArrayList<>();

    private LoopUnderLoad(LocalLoop loop, LocalLoop.Options options, LoadWorker.Serving serving, FreshFrom freshFrom) {
        this.loop = loop;
        this.folder = options.folder().toAbsolutePath();
        ModelCatalog.Model spec = options.model();
        this.model = new ServedModel(spec.model(), spec.revision(), spec.vocabularySize(), spec.tokenizerFingerprint());
        this.serving = serving;
        this.freshFrom = freshFrom;
    }

    /** Starts the loop. Workers will draft from the whole fleet's answers, and also measure what the own context alone would give. */
    public static LoopUnderLoad start(LocalLoop.Options options) throws IOException {
        return start(options, LoadWorker.Serving.defaults().withMeasureOwnContext(true), FreshFrom.FLEET);
    }

    /**
     * Starts the loop.
     *
     * @param serving how workers serve
     * @param freshFrom whose answers workers draft from before a snapshot holds them
     */
    public static LoopUnderLoad start(LocalLoop.Options options, LoadWorker.Serving serving, FreshFrom freshFrom)
            throws IOException {
        return new LoopUnderLoad(LocalLoop.start(options), options, serving, freshFrom);
    }

    /** Options of a loop for the one model that workers serve. */
    public static LocalLoop.Options options(Path folder, ServedModel model) {
        return LocalLoop.Options.in(
                folder,
                new ModelCatalog.Model(
                        model.model(), model.revision(), model.vocabularySize(), model.tokenizerFingerprint()));
    }

    /** The loop that the workers are connected to. */
    public LocalLoop loop() {
        return loop;
    }

    /** The workers in the order in which they were added. */
    public synchronized List<LoadWorker> workers() {
        return List.copyOf(workers);
    }

    /** Starts a worker that follows the loop's snapshots. */
    public synchronized LoadWorker addWorker(String name) throws IOException {
        FollowOptions follow = FollowOptions.of(
                        loop.store(), folder.resolve("cache").resolve(name))
                .withFreshFrom(freshFrom)
                .withTrustedKeys(loop.trustedKeys());
        LoadWorker worker = new LoadWorker(LoadWorker.Options.of(name, model, KafkaAccess.of(loop.bootstrap()), follow)
                .withServing(serving));
        workers.add(worker);
        worker.start();
        return worker;
    }

    /** An observer of the loop's topics; close it before the loop. */
    public LoopObserver observe() {
        return LoopObserver.of(loop.bootstrap(), loop.trustedKeys());
    }

    /** Freshness as all workers measured it together, in milliseconds. */
    public Histogram freshness() {
        Histogram all = new Histogram(2);
        workers().forEach(worker -> all.add(worker.freshness()));
        return all;
    }

    /** How soon all workers together heard of each other's answers, in milliseconds. */
    public Histogram heard() {
        Histogram all = new Histogram(2);
        workers().forEach(worker -> all.add(worker.heard()));
        return all;
    }

    @Override
    public synchronized void close() {
        Collections.reverse(workers);
        workers.forEach(LoadWorker::close);
        workers.clear();
        loop.close();
    }
}
