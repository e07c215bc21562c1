package io.tailrace.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The device's code compiled for this machine by g++, with address and undefined-behaviour sanitizers. */
final class NativeProgram {
    static final Path CUDA = Path.of("src", "main", "cuda");
    private static final Path TESTS = Path.of("src", "test", "cuda");

    private final Path program;

    private NativeProgram(Path program) {
        this.program = program;
    }

    /** Builds a test program; ends the test, and says so, where there is no g++. */
    static NativeProgram build(String source, Path folder) throws Exception {
        return build(source, folder, "address,undefined");
    }

    static NativeProgram build(String source, Path folder, String sanitizers) throws Exception {
        requireCompiler();
        Path program = folder.resolve(source.replace(".cc", ""));
        List<String> command =
                new ArrayList<>(List.of("g++", "-std=c++17", "-O1", "-g", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of("-ffp-contract=off", "-fsanitize=" + sanitizers, "-fno-sanitize-recover=all"));
        command.addAll(List.of(
                "-I",
                CUDA.toString(),
                "-o",
                program.toString(),
                TESTS.resolve(source).toString()));
        run(command);
        return new NativeProgram(program);
    }

    static void requireCompiler() {
        boolean found = true;
        try {
            run(List.of("g++", "--version"));
        } catch (IOException e) {
            found = false;
            System.out.println("NOT CHECKED: the device's code was not compiled and run, for there is no g++ here");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Assumptions.assumeTrue(found, "g++ is not installed (Debian: apt-get install g++)");
    }

    /** What it prints; fails the test with its errors if it fails. */
    String run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new AssertionError(String.join(" ", command) + " ended with " + code + ":\n" + output);
        }
        return output;
    }
}
