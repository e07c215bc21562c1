package io.tailrace.worker.device;

import io.tailrace.gpu.driver.CudaProbe;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Where a worker computes.
 *
 * @param model {@code cpu} or {@code cuda:N}
 * @param drafts GPU that drafts and accepts; empty: the host does
 * @param reason why, for people
 */
public record DeviceChoice(String model, OptionalInt drafts, String reason) {
    /** The strategy that the device's kernels know: occurrences alone. */
    private static final Set<String> ADAPTIVE = Set.of("adaptive", "adaptive:candidates=0");

    /**
     * Chooses.
     *
     * @param wanted {@code auto}, {@code cpu} or {@code cuda:N}
     * @param probe what the driver says
     * @param engineGpus GPUs that the model's engine sees
     * @param strategy what drafts
     * @throws IllegalArgumentException if {@code wanted} is none of these
     */
    public static DeviceChoice of(String wanted, CudaProbe probe, int engineGpus, String strategy) {
        if (wanted.equals("cpu")) {
            return new DeviceChoice("cpu", OptionalInt.empty(), "as told");
        }
        if (wanted.equals("auto")) {
            return automatic(probe, engineGpus, strategy);
        }
        if (!wanted.matches("cuda:[0-9]{1,3}")) {
            throw new IllegalArgumentException("device must be auto, cpu or cuda:N, got " + wanted);
        }
        return onGpu(wanted, probe, strategy, "as told");
    }

    /** For logs: {@code cuda:0, drafts on the GPU: as told}. */
    public String describe() {
        return model + ", drafts on the " + (drafts.isPresent() ? "GPU" : "CPU") + ": " + reason;
    }

    private static DeviceChoice automatic(CudaProbe probe, int engineGpus, String strategy) {
        if (!probe.usable() && engineGpus == 0) {
            return new DeviceChoice("cpu", OptionalInt.empty(), probe.reason());
        }
        if (engineGpus == 0) {
            return new DeviceChoice(
                    "cpu",
                    OptionalInt.empty(),
                    probe.reason() + ", but PyTorch sees none: pytorch-native-cu128 must be on the class path");
        }
        return onGpu("cuda:0", probe, strategy, "the first GPU");
    }

    private static DeviceChoice onGpu(String model, CudaProbe probe, String strategy, String why) {
        int gpu = Integer.parseInt(model.substring(model.indexOf(':') + 1));
        if (!probe.usable()) {
            return new DeviceChoice(model, OptionalInt.empty(), why + "; " + probe.reason());
        }
        if (!ADAPTIVE.contains(strategy)) {
            return new DeviceChoice(
                    model, OptionalInt.empty(), why + "; the GPU drafts with strategy adaptive only, not " + strategy);
        }
        return new DeviceChoice(model, OptionalInt.of(gpu), why + "; " + probe.reason());
    }
}
