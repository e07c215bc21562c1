package io.tailrace.cli.audit;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.schemas.RequestHash;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where generations are that Kafka acknowledged to their producers: each is in a lane's newest version once, by the sidecars of its segments, or was rejected, or its tokens are
 * among those that the accounts say have left or wait. Each is also on topic generations, while that has forgotten nothing and is the first one.
 */
final class AcknowledgedAudit {
    private static final String CHECK = "acknowledged";

    private final TreeSet<String> acknowledged;
    /** Those that are gone for certain. */
    private final TreeSet<String> missing = new TreeSet<>();

    private final TreeSet<String> repeated = new TreeSet<>();
    /** Those that are in no newest version and not rejected. */
    private final TreeSet<String> elsewhere = new TreeSet<>();
    /** By lane. */
    private final Map<String, LaneSidecars> sidecars = new HashMap<>();

    private int onTopic;
    private int more;

    /** @param acknowledged their request ids */
    AcknowledgedAudit(Set<String> acknowledged) {
        this.acknowledged = new TreeSet<>(acknowledged);
    }

    /**
     * Looks for each of them.
     *
     * @param complete true if whatever was written to the topic is there
     * @param waiting true if the job has records to read
     */
    Finding finding(boolean complete, boolean waiting, InstallationFacts facts, DurableStore store) throws IOException {
        Map<RequestHash, Integer> held = held(facts, store);
        for (String id : acknowledged) {
            place(id, held.getOrDefault(RequestHash.of(id), 0), complete, facts);
        }
        OptionalLong left = facts.tokensLeft();
        boolean allOnTopic = elsewhere.stream().allMatch(facts::isOnTopic);
        long tokens = elsewhere.stream().mapToLong(facts::tokensOnTopic).sum();
        boolean explained = elsewhere.isEmpty() || (!waiting && allOnTopic && tokens <= left.orElse(0));
        boolean known = !waiting && left.isPresent() && facts.rejectionsAreWhole() && damagedSidecars() == 0;
        if (!explained && known && tokens > left.getAsLong()) {
            missing.addAll(elsewhere);
            elsewhere.clear();
        }
        String detail = detail(left.orElse(0));
        boolean ok = missing.isEmpty() && repeated.isEmpty();
        return ok && !explained
                ? new Finding("", CHECK, Finding.Result.UNKNOWN, detail)
                : Finding.of("", CHECK, ok, detail);
    }

    private void place(String id, int times, boolean complete, InstallationFacts facts) {
        boolean there = facts.isOnTopic(id);
        onTopic += there ? 1 : 0;
        more += !there && times > 0 ? 1 : 0;
        if (complete && !there) {
            missing.add(id);
        } else if (times > 1) {
            repeated.add(id);
        } else if (times == 0 && !facts.isRejected(id)) {
            elsewhere.add(id);
        }
    }

    private String detail(long left) {
        String places = "%,d acknowledged, %,d of them on topic generations, %,d more in the newest versions"
                .formatted(acknowledged.size(), onTopic, more);
        String twice = repeated.isEmpty()
                ? ""
                : "; %,d in a version more than once: %s".formatted(repeated.size(), repeated.first());
        String gone = missing.isEmpty() ? "" : "; %,d missing: %s".formatted(missing.size(), missing.first());
        String open = elsewhere.isEmpty()
                ? ""
                : "; %,d in no newest version and not known to be rejected, while %,d tokens have left or wait: %s"
                        .formatted(elsewhere.size(), left, elsewhere.first());
        String unread = damagedSidecars() == 0
                ? ""
                : "; %,d sidecars of newest versions are damaged".formatted(damagedSidecars());
        return places + twice + gone + open + unread;
    }

    private long damagedSidecars() {
        return sidecars.values().stream()
                .mapToLong(ofLane -> ofLane.damaged().size())
                .sum();
    }

    /** How often the newest versions hold each of them: in the lane that holds it most often. */
    private Map<RequestHash, Integer> held(InstallationFacts facts, DurableStore store) throws IOException {
        Set<RequestHash> wanted = acknowledged.stream().map(RequestHash::of).collect(Collectors.toSet());
        Map<RequestHash, Integer> held = new HashMap<>();
        try (CopyFolder folder = CopyFolder.open()) {
            for (LaneFacts lane : facts.lanes()) {
                if (!lane.versions().isEmpty()) {
                    LaneSidecars ofLane = LaneSidecars.read(lane, wanted, store, folder.file("sidecar"));
                    ofLane.held().forEach((id, times) -> held.merge(id, times, Math::max));
                    sidecars.put(lane.lane(), ofLane);
                }
            }
        }
        return held;
    }

    /** Sidecars that a lane's segments lack, since they are damaged; none of a lane whose newest version was withdrawn while they were read. */
    List<String> damagedSidecars(String lane, VersionsNow now) {
        LaneSidecars ofLane = sidecars.get(lane);
        boolean lacked = ofLane != null && !ofLane.damaged().isEmpty() && ofLane.isMissedBy(now.paths(lane));
        return lacked ? ofLane.damaged() : List.of();
    }
}
