package io.tailrace.lab.weights;

import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.TokenProgress;
import java.io.IOException;
import java.io.PrintWriter;
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
import java.util.concurrent.atomic.AtomicLong;

/**
 * What option {@code --weights} names: the mixer's weights at the start of a replay.
 *
 * @param choice which
 * @param trainedRequests how many requests of each other stream weights are trained on
 */
public record StartingWeights(Choice choice, int trainedRequests) {
    /** The weights of a name. */
    public static StartingWeights named(String name, int trainedRequests) {
        Choice choice = Choice.named(name)
                .orElseThrow(
                        () -> new BadInputException("--weights must be shipped, untrained or held-out, got " + name));
        return new StartingWeights(choice, trainedRequests);
    }

    /** Said with every figure: what the drafter knew before the first request. */
    public String line() {
        String trained = trainedRequests == Integer.MAX_VALUE ? "" : "the first " + trainedRequests + " requests of ";
        return "Mixer weights at the start: "
                + switch (choice) {
                    case SHIPPED ->
                        "shipped, which were trained on the project's own recordings: figures on those flatter.";
                    case UNTRAINED -> "untrained; all is learned from the replayed requests.";
                    case HELD_OUT -> "held-out, trained on " + trained + "other inputs.";
                };
    }

    /** Whether they have to be trained. */
    public boolean isHeldOut() {
        return choice == Choice.HELD_OUT;
    }

    /** Weights of each stream; with {@code held-out} this trains. */
    public List<float[]> of(List<ReplayStream> streams, int threads, PrintWriter err) throws InterruptedException {
        if (isHeldOut() && streams.size() < 2) {
            throw new BadInputException("--weights held-out needs at least 2 inputs to train on others, got 1");
        }
        long tokens = isHeldOut() ? WeightTraining.heldOutTokens(streams, trainedRequests) : 0;
        AtomicLong done = new AtomicLong();
        WeightTraining training = new WeightTraining(trainedRequests, done::addAndGet);
        return TokenProgress.during(
                "training", tokens, done::get, err, () -> choice.weights(streams, training, threads));
    }

    /** Weights trained on all of these streams. */
    public static float[] trained(List<ReplayStream> streams, int requests, PrintWriter err)
            throws InterruptedException {
        long tokens = streams.stream().mapToLong(ReplayStream::tokens).sum();
        AtomicLong done = new AtomicLong();
        WeightTraining training = new WeightTraining(requests, done::addAndGet);
        return TokenProgress.during("training", tokens, done::get, err, () -> training.train(streams));
    }

    /** Where a replay's mixer weights come from. A figure is only worth something if they were trained without what it measures. */
    public enum Choice {
        /** Those that ship with the product: right for everyone's own logs. */
        SHIPPED,
        /** None: the mixer learns from the replayed requests alone. */
        UNTRAINED,
        /** For each stream, trained on the streams of the other folds: right for what the shipped weights were trained on. */
        HELD_OUT;

        /** The choice of this name in options: shipped, untrained or held-out. */
        public static Optional<Choice> named(String name) {
            return Arrays.stream(values())
                    .filter(choice -> choice.name()
                            .toLowerCase(Locale.ROOT)
                            .replace('_', '-')
                            .equals(name))
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
}
