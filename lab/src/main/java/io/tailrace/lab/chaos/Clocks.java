package io.tailrace.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The clocks of the processes, each its own, where libfaketime is installed; they can be set while a process runs. Waits are not touched. */
final class Clocks {
    private static final String LIBRARY = "faketime/libfaketime.so.1";
    private static final List<Path> PLACES =
            List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

    private final Path folder;
    private final Optional<Path> library;

    /** @param folder where each process has a file that says how far its clock is off */
    Clocks(Path folder) throws IOException {
        this.folder = folder;
        this.library = find();
    }

    private static Optional<Path> find() throws IOException {
        for (Path place : PLACES) {
            if (Files.exists(place.resolve(LIBRARY))) {
                return Optional.of(place.resolve(LIBRARY));
            }
            if (Files.isDirectory(place)) {
                try (Stream<Path> architectures = Files.list(place)) {
                    Optional<Path> found = architectures
                            .map(architecture -> architecture.resolve(LIBRARY))
                            .filter(Files::exists)
                            .findFirst();
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Why no clock can be set; empty: they can. */
    Optional<String> impossible() {
        return library.isPresent()
                ? Optional.empty()
                : Optional.of("libfaketime is not installed (Debian/Ubuntu: apt-get install libfaketime)");
    }

    /** What a process needs in its environment so that its clock can be set; its clock is right at first. */
    Map<String, String> environment(String process) throws IOException {
        if (library.isEmpty()) {
            return Map.of();
        }
        set(process, 0);
        return Map.of(
                "LD_PRELOAD", library.get().toString(),
                "FAKETIME_TIMESTAMP_FILE", file(process).toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_DISABLE_SHM", "1");
    }

    /** Sets a process's clock, so far ahead of the right time; it is seen within a second. */
    void set(String process, long secondsAhead) throws IOException {
        Path aside = folder.resolve(process + ".part");
        Files.writeString(aside, "%+d\n".formatted(secondsAhead));
        Files.move(aside, file(process), StandardCopyOption.ATOMIC_MOVE);
    }

    private Path file(String process) {
        return folder.resolve(process);
    }
}
