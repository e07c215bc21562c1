package io.tailrace.lab.bench.serve;

import io.tailrace.cli.serving.DeviceOptions;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.worker.djl.DjlModel;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.TargetModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The model that a benchmark runs, and where the figures taken of it go. */
public final class BenchedModel {
    @Option(
            names = "--model",
            paramLabel = "FOLDER",
            required = true,
            description = "The model: a Hugging Face directory with config.json and safetensors.")
    private Path folder;

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Mixin
    private FiguresFile figures = new FiguresFile();

    /** Refuses what could not be written later. */
    public void check() throws IOException {
        figures.check();
    }

    /** Machine, commit and model, for people. */
    public String head() throws IOException {
        return "%s; model %s".formatted(figures.where(), name());
    }

    /** The folder's name. */
    public String name() {
        return folder.getFileName().toString();
    }

    /** Where it computes, for people. */
    String device() {
        return device.describe();
    }

    /** The model with its tokenizer. */
    public LanguageModel load(int cacheTokensMax) {
        return device.load(folder, 0, cacheTokensMax);
    }

    /** The model alone. */
    public TargetModel target(int cacheTokensMax) {
        try {
            return DjlModel.load(device.model(folder, 0, cacheTokensMax));
        } catch (ModelLoadException | IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    /** Writes figures behind machine, commit and model, where they are wanted. */
    public void write(Map<String, Object> measured) throws IOException {
        Map<String, Object> all = figures.begin();
        all.put("model", name());
        all.putAll(measured);
        figures.write(all);
    }
}
