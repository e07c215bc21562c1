package io.tailrace.lab.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;

/**
 * The clocks of the processes, each its own, which can be set while they run: a library before the system's adds what a file says to the time of
 * day. A C compiler makes it; where there is none, every clock is right. Waits are not touched.
 */
final class Clocks {
    private static final String SOURCE = "clock.c";

    private final Path folder;
    private final Path library;
    private final String impossible;

    /** @param folder where the library lies, and for each process a file that says how far its clock is off */
    Clocks(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        this.library = folder.resolve("clock.so");
        this.impossible = compile();
    }

    private String compile() throws IOException, InterruptedException {
        Path source = folder.resolve(SOURCE);
        try (InputStream in = Clocks.class.getResourceAsStream(SOURCE)) {
            Files.copy(in, source);
        }
        try {
            Process compiler = new ProcessBuilder(
                            "cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return compiler.waitFor() == 0 ? "" : "the clock's library does not compile: " + said.strip();
        } catch (IOException e) {
            return "no C compiler makes the clock's library (Debian/Ubuntu: apt-get install gcc): " + e.getMessage();
        }
    }

    /** Why no clock can be set; empty: they can. */
    Optional<String> impossible() {
        return impossible.isEmpty() ? Optional.empty() : Optional.of(impossible);
    }

    /** What a process needs in its environment so that its clock can be set; it is right at first. */
    Map<String, String> environment(String process) throws IOException {
        if (!impossible.isEmpty()) {
            return Map.of();
        }
        set(process, 0);
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "TAILRACE_CLOCK",
                file(process).toString());
    }

    /** Sets a process's clock, so far ahead of the right time. */
    void set(String process, long secondsAhead) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, secondsAhead);
        try (FileChannel file = FileChannel.open(file(process), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(bytes, 0);
        }
    }

    private Path file(String process) {
        return folder.resolve(process);
    }
}
