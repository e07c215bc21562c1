package io.tailrace.worker.follow;

import io.tailrace.schemas.SegmentReference;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings segment files into a local folder and maps them. A file bears its final name {@code <sha256>.segment} only after its
 * SHA-256 and every byte of its format were checked, so a file of that name was verified by this process or an earlier one and
 * opens fast. Several processes may share the folder. Bounded: files that no snapshot uses go, longest unused first.
 */
final class SegmentFetcher {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFetcher.class);
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final String ENDING = ".segment";
    private static final String TEMPORARY_ENDING = ".download";
    private static final Duration TEMPORARY_AGE_MAX = Duration.ofHours(1);

    private final SegmentStore store;
    private final Path folder;
    private final long folderBytesMax;
    private final SegmentOpener opener;

    SegmentFetcher(SegmentStore store, Path folder, long folderBytesMax, SegmentOpener opener) throws IOException {
        this.store = store;
        this.folder = Files.createDirectories(folder);
        this.folderBytesMax = folderBytesMax;
        this.opener = opener;
        sweepTemporaries();
    }

    /** True if the file must be downloaded first. */
    boolean isMissing(SegmentReference reference) {
        return !Files.exists(file(reference.getSha256()));
    }

    /** Maps a segment, downloaded and verified first if it is not here. */
    MappedSegment open(SegmentReference reference, SegmentIdentity identity) throws IOException {
        if (!SHA256.matcher(reference.getSha256()).matches()) {
            throw new IOException(
                    "a segment's sha256 must be 64 lower-case hexadecimal digits, got '" + reference.getSha256() + "'");
        }
        Path file = file(reference.getSha256());
        try {
            MappedSegment mapped = opener.reopen(file, identity);
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return mapped;
        } catch (NoSuchFileException e) {
            LOG.debug("segment {} is not here yet", reference.getSha256());
        } catch (CorruptSegmentException e) {
            LOG.warn(
                    "segment {} was damaged on this disk, fetching it again: {}",
                    reference.getSha256(),
                    e.getMessage());
            Files.deleteIfExists(file);
        }
        fetch(reference, identity, file);
        return opener.reopen(file, identity);
    }

    private void fetch(SegmentReference reference, SegmentIdentity identity, Path file) throws IOException {
        Path temporary = folder.resolve(reference.getSha256() + "-" + UUID.randomUUID() + TEMPORARY_ENDING);
        try {
            store.download(reference.getPath(), reference.getSizeBytes(), temporary);
            String computed = sha256(temporary);
            if (!computed.equals(reference.getSha256())) {
                throw new CorruptSegmentException("%s in %s: sha256 %s expected, got %s; the job must publish it again"
                        .formatted(reference.getPath(), store, reference.getSha256(), computed));
            }
            opener.openVerified(temporary, identity).unmap().run();
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Deletes files that are not in use, longest unused first, until the folder is within its bound. */
    void evict(Predicate<String> inUse) throws IOException {
        List<Path> files = list(ENDING);
        long bytes = 0;
        for (Path file : files) {
            bytes += sizeOf(file);
        }
        files.sort(Comparator.comparing(SegmentFetcher::lastUsed));
        for (Path file : files) {
            if (bytes <= folderBytesMax) {
                return;
            }
            String name = file.getFileName().toString();
            if (!inUse.test(name.substring(0, name.length() - ENDING.length()))) {
                bytes -= sizeOf(file);
                Files.deleteIfExists(file);
            }
        }
    }

    private void sweepTemporaries() throws IOException {
        Instant oldest = Instant.now().minus(TEMPORARY_AGE_MAX);
        for (Path file : list(TEMPORARY_ENDING)) {
            if (lastUsed(file).toInstant().isBefore(oldest)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<Path> list(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.filter(f -> f.getFileName().toString().endsWith(ending))
                    .toList());
        }
    }

    private Path file(String sha256) {
        return folder.resolve(sha256 + ENDING);
    }

    /** 0 for a file that another process has just deleted. */
    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    private static FileTime lastUsed(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static String sha256(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
