package io.tailrace.lab.weights;

import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.suffix.draft.Mixer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Where a replay's mixer weights come from. A figure is only worth something if they were trained without what it measures. */
public enum WeightChoice {
    /** Those that ship with the product: right for everyone's own logs. */
    SHIPPED,
    /** None: the mixer learns from the replayed requests alone. */
    UNTRAINED,
    /** For each stream, trained on the streams of the other folds: right for what the shipped weights were trained on. */
    HELD_OUT;

    /** The choice of this name in options: shipped, untrained or held-out. */
    public static Optional<WeightChoice> named(String name) {
        return Arrays.stream(values())
                .filter(choice ->
                        choice.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name))
                .findFirst();
    }

    /**
     * Weights of the streams, in their order. {@link #HELD_OUT} trains, which takes as long as replaying all of them three
     * times, {@code threads} folds at a time.
     */
    public List<float[]> weights(List<ReplayStream> streams, WeightTraining training, int threads)
            throws InterruptedException {
        return switch (this) {
            case SHIPPED -> streams.stream().map(stream -> new float[0]).toList();
            case UNTRAINED ->
                streams.stream().map(stream -> Mixer.untrained().weights()).toList();
            case HELD_OUT -> heldOut(streams, training, threads);
        };
    }

    private static List<float[]> heldOut(List<ReplayStream> streams, WeightTraining training, int threads)
            throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<float[]>> folds = new ArrayList<>();
            for (int fold = 0; fold < Math.min(WeightTraining.FOLDS, streams.size()); fold++) {
                List<ReplayStream> others = WeightTraining.others(streams, fold);
                folds.add(() -> training.train(others));
            }
            List<Future<float[]>> trained = pool.invokeAll(folds);
            List<float[]> weights = new ArrayList<>();
            for (int i = 0; i < streams.size(); i++) {
                weights.add(trained.get(i % WeightTraining.FOLDS).get());
            }
            return weights;
        } catch (ExecutionException e) {
            throw new IllegalStateException("training failed: " + e.getCause(), e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** Writes weights as the resource that ships has them: one number a line. */
    public static void write(float[] weights, Path target) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (float weight : weights) {
            lines.append(String.format(Locale.ROOT, "%.5f\n", weight));
        }
        Files.writeString(target, lines);
    }
}
