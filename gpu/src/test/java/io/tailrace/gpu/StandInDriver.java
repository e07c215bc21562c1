package io.tailrace.gpu;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A driver library for machines without a GPU, built from our own source and loaded before the binding looks for one. It executes
 * the real binding and the real kernels on the host; it shows nothing about warps, memory order or what runs beside what.
 */
public final class StandInDriver {
    private static boolean loaded;

    private StandInDriver() {}

    /** Builds and loads it, once; ends the test, and says so, where there is no g++. */
    public static synchronized void load() throws Exception {
        NativeProgram.requireCompiler();
        if (loaded) {
            return;
        }
        Path library = Files.createTempDirectory("tailrace-stand-in").resolve("libcuda.so.1");
        NativeProgram.run(List.of(
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
                NativeProgram.CUDA.toString(),
                "-I",
                Path.of("src", "test", "cuda").toString(),
                "-Wl,-soname,libcuda.so.1",
                "-o",
                library.toString(),
                Path.of("src", "test", "cuda", "stand_in.cc").toString()));
        System.load(library.toAbsolutePath().toString());
        Files.delete(library);
        Files.delete(library.getParent());
        loaded = true;
    }
}
