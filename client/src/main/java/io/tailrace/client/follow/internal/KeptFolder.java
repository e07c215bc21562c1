package io.tailrace.client.follow.internal;

import io.tailrace.suffix.segment.Compaction;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one lane's kept answers. A text file, the layout, names the segments, oldest first; it is replaced in one move, so a process that is killed
 * leaves the old or the new layout, and at most files that nothing names. Whatever it names is on disk before it is, and it is before anything is deleted,
 * so a power cut leaves one of the two as well. What this class does not write stays, and so does what is left out or cannot be read.
 */
final class KeptFolder {
    private static final Logger LOG = LoggerFactory.getLogger(KeptFolder.class);
    private static final String LAYOUT = "layout";
    private static final String LAYOUT_NEW = LAYOUT + ".new";
    private static final String LAYOUT_ASIDE = LAYOUT + ".aside";
    private static final String SEGMENT = ".segment";
    private static final String SIDECAR = ".sidecar";
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");
    /** Whatever else lies in the folder is somebody else's. */
    private static final Pattern OWN = Pattern.compile(
            "[0-9a-f]{64}\\.(segment|sidecar)|[0-9a-f-]+\\.(segment|sidecar)\\.tmp|" + Pattern.quote(LAYOUT_NEW));

    private final Path folder;
    /** Segments that are there and not used: the layout names them, and nothing is done with them. */
    private final Set<Compaction.Files> leftOut = new LinkedHashSet<>();

    private final Set<Path> notOurs = new HashSet<>();

    KeptFolder(Path folder) {
        this.folder = folder;
    }

    Path path() {
        return folder;
    }

    /** Of the segment of that name, whether it is there or not. */
    Compaction.Files files(String name) {
        return new Compaction.Files(folder.resolve(name + SEGMENT), folder.resolve(name + SIDECAR));
    }

    private static String name(Path segment) {
        String file = segment.getFileName().toString();
        return file.substring(0, file.length() - SEGMENT.length());
    }

    /** Names of the segments, oldest first; empty if there is no layout, or one that names what is not there, and so may not name what is. */
    Optional<List<String>> layout() throws IOException {
        List<String> names = readLayout();
        boolean isOne = !names.isEmpty()
                && names.stream()
                        .allMatch(name -> NAME.matcher(name).matches()
                                && Files.exists(files(name).segment(), LinkOption.NOFOLLOW_LINKS));
        return isOne ? Optional.of(names) : Optional.empty();
    }

    private List<String> readLayout() throws IOException {
        Path layout = folder.resolve(LAYOUT);
        if (isUnreadable(layout)) {
            LOG.warn("{} cannot be read; it is put aside as {} when another is written", layout, LAYOUT_ASIDE);
            return List.of();
        }
        try {
            return Files.readAllLines(layout, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Names of all segments that are there, whatever names them. */
    List<String> segments() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(SEGMENT))
                    .map(KeptFolder::name)
                    .filter(name -> NAME.matcher(name).matches())
                    .toList();
        }
    }

    /** What is there and is no file that this user may read. One that is, and fails to open all the same, fails for want of something else. */
    private static boolean isUnreadable(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !(Files.isRegularFile(file) && Files.isReadable(file));
    }

    static boolean isUnreadable(Compaction.Files files) {
        return isUnreadable(files.segment()) || isUnreadable(files.sidecar());
    }

    /** The layout names these from now on, and they stay as they are. */
    void leaveOut(Compaction.Files files) {
        leftOut.add(files);
    }

    boolean leavesOut(Compaction.Files files) {
        return leftOut.contains(files);
    }

    /** Nothing that is there now is deleted, but for these. */
    void keepAllBut(List<Compaction.Files> own) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            notOurs.addAll(all.toList());
        }
        own.forEach(files -> notOurs.removeAll(List.of(files.segment(), files.sidecar())));
    }

    /**
     * Replaces the layout. If it fails, the one before is the layout still.
     *
     * @param before what the one before named
     */
    void write(List<Compaction.Files> next, List<Compaction.Files> before) throws IOException {
        for (Compaction.Files files : next) {
            if (!before.contains(files)) {
                force(files.segment());
                force(files.sidecar());
            }
        }
        Path temporary = folder.resolve(LAYOUT_NEW);
        Files.write(
                temporary,
                Stream.concat(leftOut.stream(), next.stream())
                        .map(files -> name(files.segment()))
                        .distinct()
                        .toList());
        force(temporary);
        force();
        if (before.isEmpty()) {
            forceFolder(folder.getParent());
        }
        Path layout = folder.resolve(LAYOUT);
        if (isUnreadable(layout)) {
            Files.move(layout, folder.resolve(LAYOUT_ASIDE), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(temporary, layout, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Makes what was renamed and deleted survive a power cut. */
    void force() throws IOException {
        forceFolder(folder);
    }

    private static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Deletes what this lane has written and is not of these. */
    void sweep(List<Compaction.Files> current) throws IOException {
        Set<Path> named = new HashSet<>(notOurs);
        Stream.concat(current.stream(), leftOut.stream()).forEach(files -> {
            named.add(files.segment());
            named.add(files.sidecar());
        });
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file : all.toList()) {
                boolean own = OWN.matcher(file.getFileName().toString()).matches();
                if (own && !named.contains(file) && !isUnreadable(file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
