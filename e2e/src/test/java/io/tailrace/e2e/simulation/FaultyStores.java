package io.tailrace.e2e.simulation;

import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A job's store with a fault put back. */
final class FaultyStores {
    private FaultyStores() {}

    static DurableStore of(Fault fault, DurableStore store, LongSupplier now) {
        return switch (fault) {
            case FILES_ARE_NEVER_GIVEN_UP -> new NeverGivenUp(store);
            case SWEEPS_LOOK_ONCE -> new LookedAtOnce(store, now);
            default -> store;
        };
    }

    /** Says of a file that is gone or damaged what it says when it is away. */
    private static final class NeverGivenUp extends Passing {
        NeverGivenUp(DurableStore behind) {
            super(behind);
        }

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            try {
                super.fetch(path, localFile);
            } catch (FileNotFoundException e) {
                throw new IOException(e);
            }
            if (!sha256(localFile).equals(SegmentLayout.sha256(path))) {
                throw new IOException(path + " could not be read");
            }
        }

        private static String sha256(Path file) throws IOException {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
            } catch (NoSuchAlgorithmException e) {
                throw new IOException(e);
            }
        }
    }

    /** A look right behind another finds what that one found. */
    private static final class LookedAtOnce extends Passing {
        /** Sweeps are further apart. */
        private static final long RIGHT_BEHIND_MILLIS = 5_000;

        private final LongSupplier now;
        private final Map<String, List<StoredFile>> found = new HashMap<>();
        private long foundAt;

        LookedAtOnce(DurableStore behind, LongSupplier now) {
            super(behind);
            this.now = now;
        }

        @Override
        public List<StoredFile> list(String folder) throws IOException {
            if (now.getAsLong() - foundAt > RIGHT_BEHIND_MILLIS) {
                found.clear();
                foundAt = now.getAsLong();
            }
            List<StoredFile> there = super.list(folder);
            return found.computeIfAbsent(folder, first -> there);
        }
    }

    private static class Passing implements DurableStore {
        private final DurableStore behind;

        Passing(DurableStore behind) {
            this.behind = behind;
        }

        @Override
        public void put(Path localFile, String path, String sha256) throws IOException {
            behind.put(localFile, path, sha256);
        }

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            behind.fetch(path, localFile);
        }

        @Override
        public void delete(String path) throws IOException {
            behind.delete(path);
        }

        @Override
        public List<StoredFile> list(String folder) throws IOException {
            return behind.list(folder);
        }
    }
}
