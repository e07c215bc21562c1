package io.tailrace.client.follow.internal;

import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.SnapshotManifest;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Which version of a lane a worker shall serve, from the manifests announced and the operators' commands. Newest, unless
 * held: a pin holds its version until it is unpinned; a rollback holds its version until the job announces the rolled-back
 * state as a higher one, which names the rollback's command. A command that names a version later than itself holds nothing. A version whose manifest was retracted (a tombstone) holds nothing: deleting beats a pin. Not
 * thread-safe.
 */
final class VersionChoice {
    /** More manifests than these are not remembered; the oldest go first, a held one stays. */
    static final int MANIFESTS_MAX = 256;
    /** Two machines' clocks may differ by it. */
    static final long CLOCK_SKEW_MILLIS = 5_000;

    private final AnnouncedVersions versions = new AnnouncedVersions();
    private final NavigableMap<Long, SnapshotManifest> manifests = versions.counting();

    private long heldVersion;
    private Command heldBy;
    private String heldByCommand;
    private long heldSince;
    private final Rollbacks rollbacks = new Rollbacks();

    /** Remembers a manifest; false, and it does not count, while a job that took over has announced its version or one before it. */
    boolean announce(SnapshotManifest manifest) {
        if (!versions.announce(manifest)) {
            return false;
        }
        if (manifest.getRolledBackBy() != null) {
            rollbacks.answer(manifest.getRolledBackBy(), manifest);
        }
        endAnsweredRollback();
        forgetOldest();
        return true;
    }

    /** The manifest that is no more; null if it was not known. */
    SnapshotManifest retract(long version) {
        return versions.withdraw(version);
    }

    /** Those that are remembered, whether they count or not. */
    Set<Long> versions() {
        return versions.all();
    }

    /** The manifests that are remembered and count, oldest first. */
    Collection<SnapshotManifest> known() {
        return manifests.values();
    }

    /** PIN, UNPIN and ROLLBACK; others are not for here. */
    void command(Control control) {
        switch (control.getCommand()) {
            case PIN, ROLLBACK -> hold(control);
            case UNPIN -> heldBy = null;
            default ->
                throw new IllegalArgumentException(
                        control.getCommand() + " does not choose a version; expected PIN, UNPIN or ROLLBACK");
        }
    }

    /**
     * Before a command is kept.
     *
     * @throws IllegalArgumentException if it should name a version and does not
     */
    static void check(Control control) {
        boolean needsVersion = control.getCommand() == Command.PIN || control.getCommand() == Command.ROLLBACK;
        if (needsVersion && control.getVersion() == null) {
            throw new IllegalArgumentException(control.getCommand() + " needs a version");
        }
    }

    private void hold(Control control) {
        check(control);
        heldVersion = control.getVersion();
        heldBy = control.getCommand();
        heldByCommand = control.getCommandId();
        heldSince = control.getIssuedAt().toEpochMilli();
        if (heldBy == Command.ROLLBACK) {
            rollbacks.command(control);
        }
        endAnsweredRollback();
    }

    private void endAnsweredRollback() {
        if (heldBy == Command.ROLLBACK && rollbacks.isAnswered(heldByCommand)) {
            heldBy = null;
        }
    }

    /**
     * True while an operator's command decides, and the version it names is here or on its way. A version is at least the time at which it
     * was announced, so one that is later than the command cannot have been announced when it was given: it holds nothing.
     */
    boolean held() {
        return heldBy != null && (manifests.containsKey(heldVersion) || (heldVersion > newest() && !isBeyondCommand()));
    }

    /** The version that the last command names cannot have been announced when it was given. */
    boolean isBeyondCommand() {
        return heldBy != null && heldVersion > heldSince + CLOCK_SKEW_MILLIS;
    }

    /** The manifest to serve; null: none. While a held version is yet to come, {@code loadedVersion} stays. */
    SnapshotManifest wanted(long loadedVersion) {
        if (held()) {
            return manifests.getOrDefault(heldVersion, manifests.get(loadedVersion));
        }
        return manifests.isEmpty() ? null : manifests.lastEntry().getValue();
    }

    /**
     * The newest manifest between two versions that may be served instead of one that cannot be loaded; null: none. What a rollback has taken back is
     * none.
     */
    SnapshotManifest newestBetween(long above, long below, LongPredicate may) {
        return manifests.subMap(above, false, below, false).descendingMap().values().stream()
                .filter(manifest -> may.test(manifest.getVersion()) && !rollbacks.tookBack(manifest))
                .findFirst()
                .orElse(null);
    }

    /** Newest version announced and not retracted; 0 if none. */
    long newest() {
        return manifests.isEmpty() ? 0 : manifests.lastKey();
    }

    boolean knows(long version) {
        return manifests.containsKey(version);
    }

    /** True if the version is announced, and no rollback has taken it back. */
    boolean offers(long version) {
        SnapshotManifest manifest = manifests.get(version);
        return manifest != null && !rollbacks.tookBack(manifest);
    }

    private void forgetOldest() {
        while (manifests.size() > MANIFESTS_MAX) {
            manifests.keySet().stream()
                    .filter(version -> heldBy == null || version != heldVersion)
                    .findFirst()
                    .ifPresent(versions::forget);
        }
    }
}
