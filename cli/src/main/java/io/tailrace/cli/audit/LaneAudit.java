package io.tailrace.cli.audit;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** What follows from the facts of one lane. Looks at nothing else. */
final class LaneAudit {
    private static final int NAMED_MAX = 3;

    private final LaneFacts facts;

    LaneAudit(LaneFacts facts) {
        this.facts = facts;
    }

    /** What was admitted is live, or waits, or left for a reason that is named. */
    Finding tokens() {
        Map<String, Long> numbers = facts.account();
        if (numbers == null) {
            return unknown("tokens", "topic events holds no account of the lane");
        }
        long admitted = number("tokensAdmitted");
        long accounted = number("tokensLive") + left();
        Finding.Result closes = number("tokensLost") == 0 ? Finding.Result.OK : Finding.Result.LOST;
        return new Finding(
                facts.lane(),
                "tokens",
                admitted == accounted ? closes : Finding.Result.FAILED,
                "%,d admitted; %,d live, %,d pending, %,d expired, %,d deleted, %,d lost"
                        .formatted(
                                admitted,
                                number("tokensLive"),
                                number("tokensPending"),
                                number("tokensExpired"),
                                number("tokensDeleted"),
                                number("tokensLost")));
    }

    /** Pending ones counted: they are in no version. */
    long left() {
        return number("tokensPending") + facts.left();
    }

    private long number(String name) {
        return facts.account().getOrDefault(name, 0L);
    }

    /** Each announcement has a higher number than the one before, and where tokens are live, there is one. */
    Finding versions() {
        List<LaneFacts.Announced> announced = facts.announced();
        List<String> back = new ArrayList<>();
        for (int i = 1; i < announced.size(); i++) {
            LaneFacts.Announced before = announced.get(i - 1);
            LaneFacts.Announced next = announced.get(i);
            if (next.epoch() == before.epoch() && next.version() <= before.version()) {
                back.add(next.version() + " after " + before.version());
            }
        }
        boolean hidden = facts.versions().isEmpty() && facts.account() != null && number("tokensLive") > 0;
        return finding(
                "versions rise",
                back.isEmpty() && !hidden,
                "%,d announced, %,d not withdrawn%s%s"
                        .formatted(
                                announced.size(),
                                facts.versions().size(),
                                hidden ? ", although %,d tokens are live".formatted(number("tokensLive")) : "",
                                named(back)));
    }

    /**
     * What is wrong with files that versions name, by file.
     *
     * @param bytes the store's files and their sizes, by path
     * @param damaged paths of files whose bytes are not what their names say; empty where nobody looked
     */
    Map<SegmentReference, String> wrongFiles(Map<String, Long> bytes, Set<String> damaged) {
        Map<SegmentReference, String> wrong = new LinkedHashMap<>();
        for (SegmentReference segment : files()) {
            Long size = bytes.get(segment.getPath());
            if (size == null) {
                wrong.put(segment, segment.getPath() + " is not there");
            } else if (size != segment.getSizeBytes()) {
                wrong.put(
                        segment,
                        "%s has %,d bytes, expected %,d".formatted(segment.getPath(), size, segment.getSizeBytes()));
            } else if (damaged.contains(segment.getPath())) {
                wrong.put(segment, damaged(segment.getPath()));
            }
        }
        return wrong;
    }

    /** What is said of a file whose bytes are not what was written. */
    static String damaged(String path) {
        return path + " is damaged";
    }

    /** Every file that a version names, once. */
    private Collection<SegmentReference> files() {
        Map<String, SegmentReference> files = new LinkedHashMap<>();
        for (SnapshotManifest manifest : facts.versions().values()) {
            manifest.getSegments()
                    .forEach(segment -> files.putIfAbsent(segment.getPath() + " " + segment.getSha256(), segment));
        }
        return files.values();
    }

    /**
     * Every file that a version names is in the store as it was written, and so are the sidecars that were read.
     *
     * @param wrong what is not
     * @param mended how many were not, and are again
     */
    Finding files(Collection<String> wrong, int mended) {
        String again = mended == 0 ? "" : ", %,d of them written again from copies".formatted(mended);
        return finding(
                "files", wrong.isEmpty(), "%,d files%s%s".formatted(files().size(), again, named(List.copyOf(wrong))));
    }

    /** No delete waits longer than the job may take. */
    Finding deletes(long nowMillis, Duration max) {
        List<ControlCommand> waiting = facts.deletesWaiting();
        long oldest = waiting.stream().mapToLong(ControlCommand::issuedAt).min().orElse(nowMillis);
        Duration age = Duration.ofMillis(nowMillis - oldest);
        return finding(
                "deletes",
                age.compareTo(max) <= 0,
                waiting.isEmpty()
                        ? "none waits"
                        : "%,d wait, the oldest for %,d s".formatted(waiting.size(), age.toSeconds()));
    }

    /**
     * Every answer on topic generations is in the newest version as often as it was given, but for what the accounts say has left since the oldest of them
     * was written; where none is as old, for all that ever left. While records wait to be read, so may those behind the newest version's offsets, and accounts and versions are of different moments.
     *
     * @param held how often the newest version holds what
     * @param complete true if no answer has left topic generations yet
     * @param flowing true if records wait
     */
    Finding answers(Map<TokensHash, Integer> held, boolean complete, boolean flowing) {
        if (facts.account() == null) {
            return unknown("answers", "topic events holds no account of the lane");
        }
        long unread = 0;
        long missing = 0;
        long missingTokens = 0;
        long more = 0;
        long answers = 0;
        OptionalLong before = facts.leftBefore();
        long mayBeMissing = left() - before.orElse(0) + (flowing ? facts.pending() - number("tokensPending") : 0);
        Map<TokensHash, Integer> unexplained = new HashMap<>(held);
        for (Map.Entry<TokensHash, LaneFacts.Answers> offered : facts.offered().entrySet()) {
            int there = held.getOrDefault(offered.getKey(), 0);
            int given = offered.getValue().count();
            int notThere = Math.max(0, given - there);
            int notYet = flowing ? Math.min(notThere, offered.getValue().beyond()) : 0;
            answers += given;
            unread += notYet;
            missing += notThere - notYet;
            missingTokens += (long) (notThere - notYet) * offered.getValue().tokens();
            more += complete ? Math.max(0, there - given) : 0;
            unexplained.remove(offered.getKey());
        }
        if (complete) {
            more += unexplained.values().stream().mapToLong(Integer::longValue).sum();
        }
        String detail =
                "%,d on the topic%s; %,d of them in no version (%,d tokens, %,d have left or wait), %,d there more often than given%s"
                        .formatted(
                                answers,
                                unread == 0 ? "" : ", %,d behind what the version was told of".formatted(unread),
                                missing,
                                missingTokens,
                                mayBeMissing,
                                more,
                                before.isPresent() || complete
                                        ? ""
                                        : "; all that ever left counts, for no account is older than the topic's answers");
        return finding("answers", more == 0 && (missing == 0 || missingTokens <= mayBeMissing), detail);
    }

    /** What {@link #answers} says where files of the newest version were swept, since it was withdrawn while the audit read. */
    Finding overtaken() {
        return unknown("answers", "the newest version was withdrawn while its files were read");
    }

    private Finding finding(String check, boolean ok, String detail) {
        return Finding.of(facts.lane(), check, ok, detail);
    }

    private Finding unknown(String check, String why) {
        return new Finding(facts.lane(), check, Finding.Result.UNKNOWN, why);
    }

    private static String named(List<String> wrong) {
        if (wrong.isEmpty()) {
            return "";
        }
        String some = String.join("; ", wrong.subList(0, Math.min(NAMED_MAX, wrong.size())));
        return wrong.size() <= NAMED_MAX
                ? ": " + some
                : String.format(Locale.ROOT, ": %s and %,d more", some, wrong.size() - NAMED_MAX);
    }
}
