package io.tailrace.e2e.simulation;

import io.tailrace.operators.store.DurableStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The files of all jobs, in memory: slow to list what was just put, away at times, and damaged or emptied by the test. */
final class SimulatedStore {
    private final TreeMap<String, Stored> files = new TreeMap<>();
    private final LongSupplier now;
    private boolean away;

    /** Runs between the steps of whoever uses the store, since threads of others do. */
    private Runnable meanwhile = () -> {};

    private Runnable betweenLooks = () -> {};
    private String lookedAt = "";

    private record Stored(byte[] bytes, long at, long listedFrom) {}

    SimulatedStore(LongSupplier now) {
        this.now = now;
    }

    void meanwhile(Runnable others) {
        meanwhile = others;
    }

    /** Runs before a folder is listed once more at the same moment, as a sweep does before it removes anything. */
    void betweenLooks(Runnable others) {
        betweenLooks = others;
    }

    void away(boolean isAway) {
        away = isAway;
    }

    boolean isAway() {
        return away;
    }

    List<String> paths() {
        return new ArrayList<>(files.keySet());
    }

    boolean has(String path) {
        return files.containsKey(path);
    }

    byte[] bytes(String path) throws IOException {
        Stored stored = files.get(path);
        if (away) {
            throw new IOException("the simulated store is away");
        }
        if (stored == null) {
            throw new FileNotFoundException(path);
        }
        return stored.bytes();
    }

    void lose(String path) {
        files.remove(path);
    }

    /** A byte is another, or the file ends early; one that is empty by then stays so. */
    void damage(String path, Random random) {
        Stored stored = files.get(path);
        if (stored.bytes().length == 0) {
            return;
        }
        byte[] bytes = stored.bytes().clone();
        int at = random.nextInt(bytes.length);
        if (random.nextBoolean()) {
            bytes[at] ^= 1;
        } else {
            bytes = java.util.Arrays.copyOf(bytes, at);
        }
        files.put(path, new Stored(bytes, stored.at(), stored.listedFrom()));
    }

    /**
     * As a job sees it.
     *
     * @param lag new files are listed so much later
     * @param use hears of what is written and deleted
     */
    DurableStore open(LongSupplier lag, Use use) {
        return new Opened(lag, use);
    }

    /** Hears of what is written and deleted, before it is. */
    interface Use {
        void put(String path, Path localFile) throws IOException;

        void delete(String path);
    }

    private final class Opened implements DurableStore {
        private final LongSupplier lag;
        private final Use use;

        Opened(LongSupplier lag, Use use) {
            this.lag = lag;
            this.use = use;
        }

        private void step() throws IOException {
            meanwhile.run();
            if (away) {
                throw new IOException("the simulated store is away");
            }
        }

        @Override
        public void put(Path localFile, String path, String sha256) throws IOException {
            step();
            use.put(path, localFile);
            long at = now.getAsLong();
            files.put(path, new Stored(Files.readAllBytes(localFile), at, at + lag.getAsLong()));
        }

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            step();
            Files.write(localFile, bytes(path));
        }

        @Override
        public void delete(String path) throws IOException {
            if (away) {
                throw new IOException("the simulated store is away");
            }
            use.delete(path);
            files.remove(path);
        }

        @Override
        public List<StoredFile> list(String folder) throws IOException {
            step();
            String look = folder + "@" + now.getAsLong();
            if (look.equals(lookedAt)) {
                betweenLooks.run();
            }
            lookedAt = look;
            List<StoredFile> listed = new ArrayList<>();
            for (Map.Entry<String, Stored> file : files.tailMap(folder + "/").entrySet()) {
                boolean within = file.getKey().startsWith(folder + "/");
                if (within && file.getValue().listedFrom() <= now.getAsLong()) {
                    listed.add(new StoredFile(
                            file.getKey(),
                            file.getValue().bytes().length,
                            file.getValue().at()));
                }
            }
            return listed;
        }

        @Override
        public String toString() {
            return "the simulated store";
        }
    }
}
