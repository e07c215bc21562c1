package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Brings segment files into a local folder and maps them. A file bears its final name {@code <sha256>.segment} only after its
 * SHA-256 and every byte of its format were checked, so a file of that name was verified by this process or an earlier one and
 * opens fast; one that has rotted since, or cannot be read, is fetched again. Sidecars lie beside them as {@code <sha256>.sidecar}. Several
 * processes may share the folder. Bounded: files that no snapshot uses go, longest unused first. What may not be kept at all, since it was
 * withdrawn, its user tells: {@link #discard}, {@link #sweep}.
 */
public final class SegmentFolder {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final String ENDING = ".segment";
    private static final List<String> ENDINGS = List.of(ENDING, ".sidecar");
    private static final String TEMPORARY_ENDING = ".download";
    /** Of a folder that somebody has made where a file belongs. */
    private static final String ASIDE_ENDING = ".aside";

    /** Nothing was written to it for so long: whoever began the download is gone. */
    private static final Duration TEMPORARY_AGE_MAX = Duration.ofMinutes(10);
    /** The folder is listed at least so often: a listing takes as long as there are files. */
    private static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** A file that nothing names may be one that another process has heard of sooner. */
    private static final Duration UNNAMED_AGE_MIN = Duration.ofMinutes(1);
    /** A file of others that nobody has used for so long is nobody's. */
    private static final Duration STRANGER_AGE_MAX = Duration.ofDays(1);

    private final SegmentSource source;
    private final Path folder;
    private final long folderBytesMax;
    private final SegmentOpener opener;
    private final BiConsumer<String, CorruptSegmentException> damaged;
    /** What the folder held when it was last listed, and what has come through this object since. */
    private final AtomicLong bytesKnown = new AtomicLong();

    private volatile long lookedAtNanos = System.nanoTime() - LOOK_NANOS;
    /** Files of others, as of the last sweep: they are not opened again. */
    private volatile Set<String> strangersSeen = Set.of();

    private record LocalFile(Path path, long bytes, FileTime lastUsed) {
        /** Empty for a file that another process has just deleted. */
        static Optional<LocalFile> read(Path path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                return Optional.of(new LocalFile(path, attributes.size(), attributes.lastModifiedTime()));
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }

    /** How a file that has just come is checked. */
    @FunctionalInterface
    public interface Check {
        /** The SHA-256 of the whole file. */
        String sha256(Path file) throws IOException;
    }

    /**
     * A folder, made if it is not there.
     *
     * @param folderBytesMax files that no snapshot uses go beyond it
     * @param damaged told of a file that was damaged on this disk and is fetched again: its SHA-256, and what is wrong
     */
    public SegmentFolder(
            SegmentSource source,
            Path folder,
            long folderBytesMax,
            SegmentOpener opener,
            BiConsumer<String, CorruptSegmentException> damaged)
            throws IOException {
        this.source = source;
        this.folder = Files.createDirectories(folder);
        this.folderBytesMax = folderBytesMax;
        this.opener = opener;
        this.damaged = damaged;
        sweepTemporaries(new Troubles()); // what stays, such as another user's, is told by the next sweep
    }

    /** True if the file must be downloaded first. */
    public boolean isMissing(SegmentFile wanted) {
        return !isSha256(wanted.sha256()) || !isReadable(file(wanted.sha256()));
    }

    /**
     * Maps a segment, downloaded and verified first if it is not here, cannot be read, or is not as it was any more. A file that is intact but of
     * another lane or tokenizer stays: it is of use to whoever asks for it rightly.
     */
    public SegmentOpener.Mapped open(SegmentFile wanted, SegmentIdentity identity) throws IOException {
        requireSha256(wanted);
        Path file = file(wanted.sha256());
        if (use(file)) {
            try {
                return opener.reopen(file, identity);
            } catch (NoSuchFileException e) {
                // Another process has just deleted it: fetched below.
            } catch (CorruptSegmentException e) {
                if (e.isForeign()) {
                    throw e;
                }
                damaged.accept(wanted.sha256(), e);
                remove(file);
            }
        }
        fetch(wanted, fetched -> opener.verify(fetched, identity), file);
        return opener.reopen(file, identity);
    }

    /**
     * A local copy of a segment or sidecar, which is not mapped; fetched first if it is not here. It may be evicted unless the caller's
     * {@link #evict} knows that it is in use.
     *
     * @param check of a file that is fetched
     */
    public Path copy(SegmentFile wanted, Check check) throws IOException {
        Path file = named(wanted);
        if (!use(file)) {
            fetch(wanted, check, file);
        }
        return file;
    }

    /** The local copy of a segment or sidecar, as it is; null: there is none that can be read. */
    public Path here(SegmentFile wanted) throws IOException {
        Path file = named(wanted);
        return isReadable(file) ? file : null;
    }

    /** Takes over a file that the caller has just put where files come from: it need not be fetched. */
    public void adopt(SegmentFile stored, Path file) throws IOException {
        bytesKnown.addAndGet(Files.size(file));
        makeAgainIfRemoved();
        Files.move(file, named(stored), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Marks a file as used now, where that is allowed; false: there is none that can be read. */
    private static boolean use(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        } catch (IOException e) {
            // Not there, or another user's: that one is as good, and only goes sooner.
        }
        return isReadable(file);
    }

    /** What is, and fails to open all the same, fails for a reason that no other copy mends, such as too many open files. */
    private static boolean isReadable(Path file) {
        return Files.isRegularFile(file) && Files.isReadable(file);
    }

    /**
     * Makes room for a file that is fetched anew. A folder in its place is put aside with what it holds.
     *
     * @throws IOException if that cannot be done: it names the file and says what to do
     */
    private static void remove(Path file) throws IOException {
        try {
            deleteOrPutAside(file);
        } catch (IOException e) {
            throw new IOException(
                    "%s cannot be used, and not be removed to fetch it anew (%s); remove it, and let this process write to its folder"
                            .formatted(file, e),
                    e);
        }
    }

    private static void deleteOrPutAside(Path file) throws IOException {
        try {
            Files.deleteIfExists(file);
        } catch (DirectoryNotEmptyException e) {
            Files.move(
                    file, file.resolveSibling(file.getFileName() + ASIDE_ENDING), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void fetch(SegmentFile wanted, Check check, Path file) throws IOException {
        if (!isReadable(file)) {
            remove(file);
        }
        makeAgainIfRemoved();
        Path temporary = folder.resolve(wanted.sha256() + "-" + UUID.randomUUID() + TEMPORARY_ENDING);
        try {
            source.download(wanted, temporary);
            String computed = check.sha256(temporary);
            if (!computed.equals(wanted.sha256())) {
                throw new CorruptSegmentException("%s in %s: sha256 %s expected, got %s; the job must publish it again"
                        .formatted(wanted.path(), source, wanted.sha256(), computed));
            }
            bytesKnown.addAndGet(Files.size(temporary));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void makeAgainIfRemoved() throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
    }

    /** Deletes a file, which is damaged or was withdrawn; who has it mapped keeps it, the next to open it fetches it. */
    public void discard(String sha256) throws IOException {
        requireSha256(sha256);
        for (String ending : ENDINGS) {
            remove(folder.resolve(sha256 + ending));
        }
    }

    /**
     * Deletes files that are not in use, longest unused first, until the folder is within its bound. What others who share the folder bring is
     * seen within a minute.
     */
    public void evict(Predicate<String> inUse) throws IOException {
        if (bytesKnown.get() <= folderBytesMax && System.nanoTime() - lookedAtNanos < LOOK_NANOS) {
            return;
        }
        List<LocalFile> files = new ArrayList<>();
        for (String ending : ENDINGS) {
            list(ending).forEach(file -> LocalFile.read(file).ifPresent(files::add));
        }
        lookedAtNanos = System.nanoTime();
        bytesKnown.set(files.stream().mapToLong(LocalFile::bytes).sum());
        if (bytesKnown.get() <= folderBytesMax) {
            return;
        }
        files.sort(Comparator.comparing(LocalFile::lastUsed));
        Troubles troubles = new Troubles();
        for (LocalFile file : files) {
            if (bytesKnown.get() > folderBytesMax && !inUse.test(sha256(file.path()))) {
                troubles.attempt(() -> evict(file));
            }
        }
        troubles.raise();
    }

    private void evict(LocalFile file) throws IOException {
        Files.deleteIfExists(file.path());
        bytesKnown.addAndGet(-file.bytes());
    }

    /**
     * Deletes files that nothing names and nobody uses, however much room there is: what they hold may have been deleted. Those of others
     * who share the folder stay until nobody has used them for a day. So does what was used within a minute, for another process may have heard sooner of what names it. With them go
     * downloads that were begun and given up.
     *
     * @param named SHA-256 of files that may be asked for
     * @param own whose files may go
     * @return how many files went
     * @throws IOException if a file can be neither read nor deleted; the others are done then
     */
    public int sweep(Set<String> named, Predicate<String> inUse, Predicate<SegmentIdentity> own) throws IOException {
        Troubles troubles = new Troubles();
        sweepTemporaries(troubles);
        Set<String> strangers = new HashSet<>();
        AtomicInteger swept = new AtomicInteger();
        for (Path file : list(ENDING)) {
            String sha256 = sha256(file);
            if (inUse.test(sha256)) {
                if (!isYoung(file, STRANGER_AGE_MAX.dividedBy(2))) {
                    use(file); // which tells others who share the folder
                }
            } else if (!named.contains(sha256) && !isYoung(file, UNNAMED_AGE_MIN)) {
                troubles.attempt(() -> {
                    if (!isYoung(file, STRANGER_AGE_MAX) || isOwn(file, sha256, own)) {
                        Files.deleteIfExists(file);
                        swept.incrementAndGet();
                    } else {
                        strangers.add(sha256);
                    }
                });
            }
        }
        strangersSeen = strangers;
        troubles.raise();
        return swept.get();
    }

    /** What is wrong with single files: said once all others are done, since what they hold may have been deleted. */
    private static final class Troubles {
        private IOException first;

        /** What is done with a file. */
        interface Work {
            void run() throws IOException;
        }

        void attempt(Work work) {
            try {
                work.run();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }

        void raise() throws IOException {
            if (first != null) {
                throw first;
            }
        }
    }

    /** A file that cannot be read is of use to nobody. */
    private boolean isOwn(Path file, String sha256, Predicate<SegmentIdentity> own) throws IOException {
        if (strangersSeen.contains(sha256)) {
            return false;
        }
        try {
            return own.test(opener.identity(file));
        } catch (CorruptSegmentException | NoSuchFileException e) {
            return true;
        }
    }

    private void sweepTemporaries(Troubles troubles) throws IOException {
        for (Path file : list(TEMPORARY_ENDING)) {
            if (!isYoung(file, TEMPORARY_AGE_MAX)) {
                troubles.attempt(() -> deleteOrPutAside(file));
            }
        }
    }

    private List<Path> list(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.filter(f -> f.getFileName().toString().endsWith(ending))
                    .toList());
        } catch (NoSuchFileException e) {
            return List.of(); // until the next download makes it anew
        }
    }

    private Path file(String sha256) {
        return folder.resolve(sha256 + ENDING);
    }

    /** Where a file lies that keeps the ending it has in the store. */
    private Path named(SegmentFile wanted) throws IOException {
        requireSha256(wanted);
        for (String ending : ENDINGS) {
            if (wanted.path().endsWith(ending)) {
                return folder.resolve(wanted.sha256() + ending);
            }
        }
        throw new IOException("a stored file's name must end with one of " + ENDINGS + ", got '" + wanted.path() + "'");
    }

    private static void requireSha256(SegmentFile wanted) throws IOException {
        requireSha256(wanted.sha256());
    }

    private static void requireSha256(String sha256) throws IOException {
        if (!isSha256(sha256)) {
            throw new IOException("a segment's sha256 must be 64 lower-case hexadecimal digits, got '" + sha256 + "'");
        }
    }

    private static boolean isSha256(String text) {
        return SHA256.matcher(text).matches();
    }

    private static String sha256(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.lastIndexOf('.'));
    }

    /** Used so lately. A time as far ahead was stamped by a clock that has been put back since, and says nothing. */
    private static boolean isYoung(Path file, Duration ageMax) {
        try {
            Instant lastUsed = Files.getLastModifiedTime(file).toInstant();
            return Duration.between(lastUsed, Instant.now()).abs().compareTo(ageMax) <= 0;
        } catch (IOException e) {
            return false;
        }
    }
}
