package io.tailrace.cli.dev;

import io.tailrace.client.follow.LaneState;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.schemas.LaneId;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.serve.ServingWatch;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A line for each answer, and one whenever a lane has something new to draft from. */
final class DevLines implements ServingWatch {
    private static final String HEAD =
            "answer  tokens  steps  tokens/step  accepted: shared  own context      ms  snapshot";

    private final PrintWriter out;
    private final Map<LaneId, LaneState> last = new HashMap<>();
    private int answers;

    DevLines(PrintWriter out) {
        this.out = out;
    }

    @Override
    public synchronized void answered(Answer answer) {
        if (answers++ == 0) {
            out.println(HEAD);
        }
        DecodeTally tally = answer.decoded().tally();
        int tokens = answer.decoded().output().length;
        int shared = tally.acceptedFromAnswers();
        say(String.format(
                Locale.ROOT,
                "%6d  %6d  %5d  %11.2f  %16d  %11d  %6d  %8d",
                answers,
                tokens,
                tally.steps(),
                (double) tokens / Math.max(1, tally.steps()),
                shared,
                tally.accepted() - shared,
                answer.totalNanos() / 1_000_000,
                answer.decoded().snapshotVersionLast()));
    }

    @Override
    public synchronized void followed(List<LaneState> lanes) {
        lanes.forEach(this::followed);
    }

    private void followed(LaneState now) {
        LaneState before = last.put(now.lane(), now);
        long heard = now.heardSamples() - (before == null ? 0 : before.heardSamples());
        if (heard > 0) {
            say("  heard %d %s of another producer for %s"
                    .formatted(heard, heard == 1 ? "answer" : "answers", now.lane()));
        }
        if (now.loadedVersion() > 0 && (before == null || before.loadedVersion() != now.loadedVersion())) {
            say("  snapshot %d of %s is served".formatted(now.loadedVersion(), now.lane()));
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
