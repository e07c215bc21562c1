package io.tailrace.lab.demo;

import io.tailrace.lab.engine.EngineEnvironment;
import io.tailrace.terminal.BadInputException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** What the demo with real engines is told. */
final class EngineDemoOptions {
    private static final String VLLM = "vllm";
    /** Of workers that serve recorded requests. */
    private static final List<String> OF_WORKERS =
            List.of("--input", "--workers", "--pace", "--vocabulary", "--skip-bad-lines", "--seed");

    private static final List<String> OF_ENGINES = List.of("--model", "--environment");

    @Option(
            names = "--engine",
            paramLabel = VLLM,
            description =
                    "Serve with two stock vLLM engines and an agent beside each, in place of workers without a model."
                            + " Default: workers.")
    private String engine;

    @Option(
            names = "--model",
            paramLabel = "FOLDER",
            description =
                    "Of --engine: the model's folder, as transformers writes it. Default: a small Llama with random"
                            + " weights is made.")
    private Path model;

    @Option(
            names = "--environment",
            paramLabel = "FOLDER",
            description =
                    "Python environment with the engine; made if there is no such folder. Default: ~/.cache/tailrace/engine-VERSION.")
    private Path environment;

    /** Whether engines serve; refuses options that have no meaning then, or only then. */
    boolean check(ParseResult given) {
        if (engine != null && !engine.equals(VLLM)) {
            throw new BadInputException("--engine must be %s, got '%s'".formatted(VLLM, engine));
        }
        for (String option : engine == null ? OF_ENGINES : OF_WORKERS) {
            if (given.hasMatchedOption(option)) {
                throw new BadInputException(
                        engine == null
                                ? "%s has no meaning without --engine %s; add it, or leave it out"
                                        .formatted(option, VLLM)
                                : "%s has no meaning with --engine %s, whose engines answer prompts of the demo's own; leave it out"
                                        .formatted(option, VLLM));
            }
        }
        return engine != null;
    }

    /** Null: one is to be made. */
    Path model() {
        return model;
    }

    Path environment() {
        return environment == null ? EngineEnvironment.usual() : environment;
    }
}
