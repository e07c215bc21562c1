package io.tailrace.lab.chaos;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The files of a run that can be broken. */
final class StoredFiles {
    private final RunFolders folders;
    private final VersionWatch versions;

    /**
     * A file that can be broken.
     *
     * @param struck who has to get over it
     */
    record Found(Path path, Struck struck) {}

    StoredFiles(RunFolders folders, VersionWatch versions) {
        this.folders = folders;
        this.versions = versions;
    }

    /** A file that one of the newest versions names. */
    Found segment(PlannedFault planned) throws IOException {
        List<Found> files = new ArrayList<>();
        for (SnapshotManifest manifest : versions.newestManifests()) {
            for (SegmentReference segment : manifest.getSegments()) {
                files.add(new Found(
                        folders.segments().resolve(segment.getPath()),
                        Struck.lane(LaneId.of(manifest.getLane()).toString())));
            }
        }
        return one(files, planned, "file of a newest version");
    }

    /** Another file of the same lane, as the same path might have been once. */
    Path otherThan(Path segment, PlannedFault planned) throws IOException {
        List<Path> others = in(segment.getParent(), "*.segment");
        others.remove(segment);
        return one(others, planned, "other file of the lane");
    }

    /** A file in a worker's cache. */
    Found cached(PlannedFault planned) throws IOException {
        String worker = Truth.WORKERS.get(planned.choice(Truth.WORKERS.size()));
        List<Path> files = in(folders.worker(worker).resolve("cache"), "*.segment");
        return new Found(one(files, planned, "file in a cache"), Struck.process(worker));
    }

    private static List<Path> in(Path folder, String names) throws IOException {
        List<Path> files = new ArrayList<>();
        try (var found = Files.newDirectoryStream(folder, names)) {
            found.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    private static <T> T one(List<T> files, PlannedFault planned, String what) throws IOException {
        if (files.isEmpty()) {
            throw new NoSuchFileException("there is no " + what + " to break");
        }
        return files.get(planned.choice(files.size()));
    }

    /** Flips a byte in the middle. */
    static void damage(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long at = channel.size() / 2;
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) ~one.get(0)).rewind();
            channel.write(one, at);
        }
    }
}
