package io.tailrace.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A driver library for machines without a GPU, built from our own source ({@code gpu/src/test/cuda/stand_in.cc}) and loaded before
 * the binding looks for one. It executes the real binding and the real kernels on the host; it shows nothing about warps, memory
 * order or what runs beside what.
 */
public final class StandInDriver {
    private static final List<Path> MODULES = List.of(Path.of(""), Path.of("gpu"), Path.of("..", "gpu"));
    private static final Path SOURCE = Path.of("src", "test", "cuda", "stand_in.cc");
    private static boolean loaded;

    private StandInDriver() {}

    /** Builds and loads it, once; false, and it says so, where there is no g++. */
    public static synchronized boolean load() throws IOException, InterruptedException {
        if (!loaded && !hasCompiler()) {
            System.out.println(
                    "NOT CHECKED: what runs on a GPU, for there is no g++ here to build the stand-in driver");
            return false;
        }
        if (!loaded) {
            Path folder = Files.createTempDirectory("tailrace-stand-in");
            Path library = folder.resolve("libcuda.so.1");
            build(module(), library);
            System.load(library.toAbsolutePath().toString());
            Files.delete(library);
            Files.delete(folder);
            loaded = true;
        }
        return true;
    }

    /**
     * Lets one call of the driver fail. Codes 700, 702 and 719 stay: all calls after it give them, too, until {@link #relaunch}.
     *
     * @param calls it is the one after so many further calls; -1: none
     * @param code what it answers
     */
    public static native void failAfter(int calls, int code);

    /** Whether the call that is to fail has not come yet. */
    public static native boolean failsYet();

    /** Forgets an error that stays with the process, as only a new process does. */
    public static native void relaunch();

    /** Allocations, pinned blocks, streams, graphs, events, modules and contexts that were not given back. */
    public static native int held();

    /** How often the host has waited for a stream so far. */
    public static native int waits();

    private static Path module() throws IOException {
        for (Path module : MODULES) {
            if (Files.exists(module.resolve(SOURCE))) {
                return module;
            }
        }
        throw new IOException(
                "no " + SOURCE + " in " + MODULES + " beside " + Path.of("").toAbsolutePath());
    }

    private static void build(Path module, Path library) throws IOException, InterruptedException {
        run(List.of(
                "g++",
                "-std=c++17",
                "-O1",
                "-g",
                "-fPIC",
                "-shared",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-ffp-contract=off",
                "-fsanitize=undefined",
                "-fsanitize-undefined-trap-on-error",
                "-I",
                module.resolve("src/main/cuda").toString(),
                "-I",
                module.resolve("src/test/cuda").toString(),
                "-Wl,-soname,libcuda.so.1",
                "-o",
                library.toString(),
                module.resolve(SOURCE).toString()));
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            run(List.of("g++", "--version"));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed:\n" + output);
        }
    }
}
