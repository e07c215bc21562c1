package io.tailrace.lab.weights;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.cli.terminal.TokenProgress;
import io.tailrace.lab.replay.ReplayStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What option {@code --weights} names: the mixer's weights at the start of a replay.
 *
 * @param choice which
 * @param trainedRequests how many requests of each other stream weights are trained on
 */
public record StartingWeights(WeightChoice choice, int trainedRequests) {
    /** The weights of a name. */
    public static StartingWeights named(String name, int trainedRequests) {
        WeightChoice choice = WeightChoice.named(name)
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
        return choice == WeightChoice.HELD_OUT;
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
}
