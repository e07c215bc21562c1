package io.tailrace.lab.experiment;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.DraftPart;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How large a segment of answers is, with what a drafter's parts need of their prompts: tails, signatures, and which tokens are copied.
 *
 * @param bytes of the file
 * @param tokens of the answers
 */
record SegmentBytes(long bytes, long tokens) {
    private static final SegmentIdentity LANE = new SegmentIdentity("bench@1/bench", Integer.MAX_VALUE, "bench");

    /**
     * Of a workload's answers, as a run has them remembered.
     *
     * @param folder that the segment is written into
     */
    static SegmentBytes of(ReplayRun run, String workload, Path folder) throws IOException {
        List<Compaction.Input> answers = new ArrayList<>();
        long tokens = 0;
        for (ReplayCase request : run.stream().cases()) {
            if (request.workload().equals(workload)) {
                int number = answers.size();
                answers.add(new Compaction.Input(
                        new GenerationEntry(number, number, "bench", number), answer(run, request)));
                tokens += request.response().length;
            }
        }
        return new SegmentBytes(
                Compaction.flush(answers, LANE, folder).summary().sizeBytes(), tokens);
    }

    private static RememberedAnswer answer(ReplayRun run, ReplayCase request) {
        RememberedAnswer whole = request.answer(run.protocol().promptTail());
        return new RememberedAnswer(
                whole.promptTail(),
                whole.tokens(),
                has(run, DraftPart.TOKEN) ? whole.copied() : null,
                has(run, DraftPart.SIMILAR) ? whole.signature() : PromptSignature.NONE);
    }

    private static boolean has(ReplayRun run, DraftPart part) {
        return !"false".equals(run.strategy().parameters().get(part.label()));
    }

    SegmentBytes plus(SegmentBytes other) {
        return new SegmentBytes(bytes + other.bytes, tokens + other.tokens);
    }

    double perToken() {
        return (double) bytes / tokens;
    }
}
