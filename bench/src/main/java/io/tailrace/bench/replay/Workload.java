package io.tailrace.bench.replay;

import io.tailrace.worker.replay.ReplayInput;
import io.tailrace.worker.replay.ReplayInputOptions;
import io.tailrace.worker.replay.ReplayRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The first requests of one file. A response of fewer than two tokens leaves nothing to draft: its request is skipped,
 * though it counts as read.
 *
 * @param name the workload's name
 * @param cases its requests, in order
 */
record Workload(String name, List<ReplayCase> cases) {
    /** Token ids of the replay files are below it. */
    private static final int VOCABULARY_SIZE = 100_277;

    private static final int RESPONSE_TOKENS_MIN = 2;

    static Workload read(Path file, int requestsMax) {
        List<ReplayCase> cases = new ArrayList<>();
        String name = String.valueOf(file.getFileName());
        try (ReplayInput input = ReplayInput.strict(List.of(file), ReplayInputOptions.of(VOCABULARY_SIZE))) {
            for (int read = 0; read < requestsMax && input.hasNext(); read++) {
                ReplayRequest request = input.next();
                name = request.workload();
                if (request.response().length >= RESPONSE_TOKENS_MIN) {
                    cases.add(new ReplayCase(request.prompt(), request.response()));
                }
            }
        }
        return new Workload(name, cases);
    }
}
