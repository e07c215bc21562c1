package io.tailrace.worker.device;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceOutcome;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.engine.Drafting;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.sampling.SamplingParameters;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * One request on the device. Once the device has failed it, for good or in one step, it is the host's to the end: what it has said
 * so far is kept for that.
 */
final class DeviceRequest implements Drafting {
    private final DeviceBatch batch;
    private final DeviceLane lane;
    private final int slot;
    private final Function<int[], Drafting> onHost;
    private int[] context;
    private int length;
    /** Null as long as the device serves the request. */
    private Drafting host;

    private final DraftForecast forecast;
    /** Of the step in hand. */
    private DeviceDraft draft;

    private int allowed;
    private boolean forecasted;

    private DeviceVerdict verdict;
    private int place;

    DeviceRequest(DeviceBatch batch, DeviceLane lane, int slot, int[] prompt, Function<int[], Drafting> onHost) {
        this.batch = batch;
        this.lane = lane;
        this.slot = slot;
        this.onHost = onHost;
        this.context = prompt.clone();
        this.length = prompt.length;
        this.forecast = batch.forecast();
    }

    DeviceLane lane() {
        return lane;
    }

    int slot() {
        return slot;
    }

    /** Its entry of the step's batch. */
    int place() {
        return place;
    }

    void planned(int entry) {
        place = entry;
    }

    void drafted(DeviceDraft grown) {
        draft = grown;
    }

    void judged(DeviceVerdict said) {
        verdict = said;
    }

    /** What stood in the pass as a forecast, and what came of it. */
    void judged(DeviceOutcome outcome) {
        draft = outcome.draft();
        verdict = outcome.verdict();
        forecast.learn(draft, allowed);
        batch.learn(draft, allowed);
    }

    /** Goes on on the host. */
    void leaveDevice() {
        if (host == null) {
            host = onHost.apply(Arrays.copyOf(context, length));
            batch.left();
        }
    }

    @Override
    public void plan(int budget) {
        draft = null;
        verdict = null;
        forecasted = false;
        if (host == null) {
            allowed = lane.allowed(budget);
            batch.plan(this, allowed);
        } else {
            host.plan(budget);
        }
    }

    @Override
    public Draft draft(int budget) {
        forecasted = host == null && batch.completes();
        if (forecasted) {
            return forecast.of(allowed);
        }
        if (host == null && (draft == null || draft.flags() != 0)) {
            leaveDevice();
        }
        return host == null ? draft : host.draft(budget);
    }

    @Override
    public void seat(int input, int node, int nodes) {
        if (forecasted) {
            batch.seat(this, new DeviceBatch.Seated(input, node, nodes));
        } else if (host != null) {
            host.seat(input, node, nodes);
        }
    }

    /** Nothing was verified where the device failed meanwhile: what stood in the pass stayed padding. */
    @Override
    public Optional<Draft> revealed() {
        return forecasted ? Optional.of(draft == null ? forecast.of(0) : draft) : Optional.empty();
    }

    @Override
    public void offer(Logits logits, int input, int end, int nodes, SamplingParameters sampling) {
        if (host == null) {
            batch.offer(this, new OfferedRows.Offer(logits, input, end, nodes, sampling));
        } else {
            host.offer(logits, input, end, nodes, sampling);
        }
    }

    @Override
    public Optional<int[]> chosen() {
        if (host != null) {
            return host.chosen();
        }
        return verdict == null || verdict.flags() != 0 ? Optional.empty() : Optional.of(verdict.tokens());
    }

    @Override
    public void verified(int[] tokens, int count) {
        if (host != null) {
            host.verified(tokens, count);
            return;
        }
        if (length + count > context.length) {
            context = Arrays.copyOf(context, Math.max(length + count, 2 * context.length));
        }
        System.arraycopy(tokens, 0, context, length, count);
        length += count;
        if (chosen().isEmpty()) {
            leaveDevice();
        }
    }

    @Override
    public long snapshotVersion() {
        return host == null ? lane.version() : host.snapshotVersion();
    }

    @Override
    public void close() {
        batch.release(this);
        if (host != null) {
            host.close();
        }
    }
}
