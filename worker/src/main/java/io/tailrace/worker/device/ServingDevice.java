package io.tailrace.worker.device;

import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.driver.CudaDevice;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What drafts and chooses tokens for a serving worker.
 *
 * @param drafts the device; empty: the host
 * @param description where model and drafts are, and why, for people
 */
public record ServingDevice(Optional<DraftDevice> drafts, String description) {
    /**
     * Opens the GPU that was chosen; where it refuses, the host drafts.
     *
     * @param batchMax requests decoded at once
     * @param budgetMax most draft tokens a request and step
     * @param laneBytesMax for the lanes' segments and vocabularies there; 0: a quarter of what is free
     * @throws DeviceLostException if the process has lost it, the model's memory too
     */
    public static ServingDevice open(
            DeviceChoice choice, int batchMax, int budgetMax, int contextTokensMax, long laneBytesMax) {
        if (choice.drafts().isEmpty()) {
            return new ServingDevice(Optional.empty(), choice.describe());
        }
        try {
            CudaDevice device = new CudaDevice(
                    choice.drafts().getAsInt(), limits(batchMax, budgetMax, contextTokensMax, laneBytesMax));
            return new ServingDevice(Optional.of(device), choice.describe() + "; " + device.name());
        } catch (DeviceLostException e) {
            throw e;
        } catch (DeviceException e) {
            String reason = choice.reason() + "; the GPU refused: " + e.getMessage();
            return new ServingDevice(
                    Optional.empty(), new DeviceChoice(choice.model(), OptionalInt.empty(), reason).describe());
        }
    }

    /** A slot for each request of a batch, as long as the model's context and what one verification adds. */
    private static DeviceLimits limits(int batch, int budgetMax, int contextTokensMax, long laneBytesMax) {
        int budget = IntStream.of(16, 32, DraftPolicy.BUDGET_MAX)
                .filter(size -> size >= budgetMax)
                .findFirst()
                .orElseThrow();
        return new DeviceLimits(batch, contextTokensMax + DraftPolicy.BUDGET_MAX + 1, batch, budget, laneBytesMax);
    }
}
