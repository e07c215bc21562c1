package io.tailrace.cli.serving;

import io.tailrace.gpu.driver.CudaProbe;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.worker.device.DeviceChoice;
import io.tailrace.worker.djl.DjlModels;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.ModelOptions.ComputeType;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Where a model computes, in which numbers, with how many threads. */
public final class DeviceOptions {
    /** The strategy that can draft on a GPU. */
    public static final String DRAFTING = "adaptive";

    @Option(
            names = "--device",
            defaultValue = "auto",
            paramLabel = "DEVICE",
            description =
                    "Where the model computes, and a worker drafts with it: auto (a GPU where there is one that both can use),"
                            + " cpu, or cuda:N. A worker says what it chose and why."
                            + " Default: ${DEFAULT-VALUE}.")
    private String device;

    @Option(
            names = "--compute-type",
            defaultValue = "fp32",
            paramLabel = "TYPE",
            description = "fp32 or fp16. Default: ${DEFAULT-VALUE}.")
    private String computeType;

    @Bounds(min = 1)
    @Option(
            names = "--threads",
            hidden = true,
            defaultValue = "1",
            paramLabel = "N",
            description = "Threads of one operation on the CPU. Default: ${DEFAULT-VALUE}.")
    private int threads;

    private DeviceChoice choice;

    /**
     * Decides between CPU and GPU, once.
     *
     * @param strategy what is to draft
     */
    public DeviceChoice choose(String strategy) {
        if (choice == null) {
            try {
                boolean onCpu = cpu();
                CudaProbe probe = onCpu ? CudaProbe.NOT_LOOKED : CudaProbe.look();
                choice = DeviceChoice.of(device, probe, onCpu ? 0 : DjlModels.gpus(), strategy);
            } catch (IllegalArgumentException | ModelLoadException e) {
                throw new BadInputException(e.getMessage(), e);
            }
        }
        return choice;
    }

    /** Whether everything was told to be on the CPU. */
    public boolean cpu() {
        return device.equals("cpu");
    }

    /** In words, for people. */
    public String describe() {
        return "%s on %s, %d threads".formatted(computeType, modelDevice(), threads);
    }

    /** Which workers compute alike: {@code cpu-fp32}, {@code cuda-fp16}. */
    public String workerClass() {
        return (modelDevice().startsWith("cuda") ? "cuda-" : "cpu-") + computeType;
    }

    /**
     * How to load a model.
     *
     * @param folder a Hugging Face directory
     * @param contextTokensMax most tokens of a sequence; 0: what the model was trained for
     * @param cacheTokensMax most tokens of all sequences together
     */
    public ModelOptions model(Path folder, int contextTokensMax, int cacheTokensMax) {
        try {
            ComputeType type = ComputeType.of(computeType.toLowerCase(Locale.ROOT));
            return new ModelOptions(folder, modelDevice(), type, contextTokensMax, cacheTokensMax, threads);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private String modelDevice() {
        return choose(DRAFTING).model();
    }

    /** A model with its tokenizer; parameters as for {@link #model}. */
    public LanguageModel load(Path folder, int contextTokensMax, int cacheTokensMax) {
        try {
            return DjlModels.load(model(folder, contextTokensMax, cacheTokensMax));
        } catch (IllegalArgumentException | ModelLoadException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }
}
