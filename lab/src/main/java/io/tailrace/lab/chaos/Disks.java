package io.tailrace.lab.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A disk of its own for each part, so that each can be full: a tmpfs that is made no larger than what lies on it. Where nothing may be mounted, all
 * parts share the run's disk and none gets full.
 */
final class Disks implements AutoCloseable {
    private static final long BYTES = 2L << 30;
    /** A disk that is full takes no further page. */
    private static final long SPARE_BYTES = 4_096;

    private static final int TRIES_MAX = 5;

    private final Map<Path, Boolean> mounted = new LinkedHashMap<>();
    private final boolean kept;
    private String impossible = "";

    /** @param kept what lies on them is there after they are closed */
    Disks(boolean kept) {
        this.kept = kept;
    }

    /** Mounts one on a folder, or remembers why not. */
    void add(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        String said = run("mount", "-t", "tmpfs", "-o", "size=" + BYTES, "tailrace-chaos", folder.toString());
        if (said.isEmpty()) {
            mounted.put(folder, true);
        } else {
            impossible = "no disk of its own can be mounted: " + said;
        }
    }

    /** Why none can get full; empty: they can. */
    Optional<String> impossible() {
        return impossible.isEmpty() ? Optional.empty() : Optional.of(impossible);
    }

    /** From now on the disk has no room. */
    void fill(Path folder) throws IOException, InterruptedException {
        String said = "";
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            FileStore store = Files.getFileStore(folder);
            said = resize(folder, store.getTotalSpace() - store.getUnallocatedSpace() + SPARE_BYTES);
            if (said.isEmpty()) {
                return;
            }
        }
        throw new IOException("%s could not be filled: %s".formatted(folder, said));
    }

    /** It has room again. */
    void empty(Path folder) throws IOException, InterruptedException {
        String said = resize(folder, BYTES);
        if (!said.isEmpty()) {
            throw new IOException("%s got no room again: %s".formatted(folder, said));
        }
    }

    private static String resize(Path folder, long bytes) throws IOException, InterruptedException {
        return run("mount", "-o", "remount,size=" + bytes, folder.toString());
    }

    /** What the command says if it fails; empty: it does not. */
    private static String run(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : said.strip() + " (exit " + process.exitValue() + ")";
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    @Override
    public void close() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path folder : mounted.keySet()) {
            try {
                wrong.add(kept ? replace(folder) : run("umount", folder.toString()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        wrong.removeIf(String::isEmpty);
        if (!wrong.isEmpty()) {
            throw new IOException("not every disk could be unmounted: " + wrong);
        }
    }

    private static String replace(Path folder) throws IOException, InterruptedException {
        Path copy = folder.resolveSibling(folder.getFileName() + ".kept");
        String said = run("cp", "-a", folder.toString(), copy.toString());
        said += run("umount", folder.toString());
        if (said.isEmpty()) {
            Files.delete(folder);
            Files.move(copy, folder);
        }
        return said;
    }
}
