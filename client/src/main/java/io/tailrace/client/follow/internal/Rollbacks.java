package io.tailrace.client.follow.internal;

import io.tailrace.schemas.Control;
import io.tailrace.schemas.SnapshotManifest;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rollbacks of a lane, and what each has taken back: the versions between its target and the first one by which the job obeyed it. They stay announced
 * for whoever wants to go back to them, and nobody shall serve them unless told to. A version of a later epoch is none of them: its job has not
 * announced what was taken back. Not thread-safe.
 */
final class Rollbacks {
    /** More rollbacks than these, and answers to them, are not remembered; the oldest go first. */
    static final int ROLLBACKS_MAX = 64;

    /** By the command's id. */
    private final Map<String, Long> targets = new LinkedHashMap<>();

    private final Map<String, SnapshotManifest> answers = new LinkedHashMap<>();

    /** An operator has commanded one. */
    void command(Control rollback) {
        targets.put(rollback.getCommandId(), rollback.getVersion());
        keepBound(targets);
    }

    /** A manifest says that the lane's state has obeyed a rollback. */
    void answer(String command, SnapshotManifest by) {
        answers.merge(command, by, (one, other) -> one.getVersion() <= other.getVersion() ? one : other);
        keepBound(answers);
    }

    private static void keepBound(Map<String, ?> commands) {
        if (commands.size() > ROLLBACKS_MAX) {
            commands.remove(commands.keySet().iterator().next());
        }
    }

    boolean isAnswered(String command) {
        return answers.containsKey(command);
    }

    /** Whether a rollback has taken the version back. */
    boolean tookBack(SnapshotManifest version) {
        return targets.entrySet().stream().anyMatch(rollback -> {
            SnapshotManifest answer = answers.get(rollback.getKey());
            return answer != null
                    && version.getVersion() > rollback.getValue()
                    && version.getVersion() < answer.getVersion()
                    && version.getEpoch() <= answer.getEpoch();
        });
    }
}
