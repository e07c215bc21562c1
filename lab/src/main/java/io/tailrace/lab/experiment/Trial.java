package io.tailrace.lab.experiment;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayResult;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.suffix.RememberedAnswer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * One replay of an experiment.
 *
 * @param variant what is varied, as the heading of its column
 * @param run what is replayed
 */
public record Trial(String variant, ReplayRun run) {
    /** A trial with what it gave. */
    public record Finished(Trial trial, ReplayResult result) {}

    /** The name of a trial: readable, and followed by a digest of all that decides its figures. */
    static final class Key {
        private static final int DIGEST_CHARS = 24;

        private final MessageDigest digest;

        private Key() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has SHA-256", e);
            }
        }

        static String of(Trial trial) {
            ReplayRun run = trial.run();
            String readable = String.join(
                    ", ",
                    trial.variant(),
                    run.stream().name(),
                    run.strategy().text(),
                    "budget " + run.budget(),
                    run.protocol().describe());
            Key key = new Key();
            key.addStream(run.stream().cases());
            key.addAll(run.protocol().warm());
            for (float weight : run.weights()) {
                key.addNumber(Float.floatToIntBits(weight));
            }
            key.digest.update(readable.getBytes(StandardCharsets.UTF_8));
            return readable + " #"
                    + HexFormat.of().formatHex(key.digest.digest()).substring(0, DIGEST_CHARS);
        }

        private void addStream(List<ReplayCase> cases) {
            for (ReplayCase request : cases) {
                digest.update((request.workload() + " " + request.scope()).getBytes(StandardCharsets.UTF_8));
                add(request.prompt());
                add(request.response());
            }
        }

        private void addAll(List<RememberedAnswer> answers) {
            answers.forEach(answer -> add(answer.text()));
        }

        private void add(int[] tokens) {
            ByteBuffer bytes = ByteBuffer.allocate(4 * (tokens.length + 1));
            bytes.putInt(tokens.length).asIntBuffer().put(tokens);
            digest.update(bytes.array());
        }

        private void addNumber(int number) {
            digest.update(ByteBuffer.allocate(4).putInt(number).array());
        }
    }
}
