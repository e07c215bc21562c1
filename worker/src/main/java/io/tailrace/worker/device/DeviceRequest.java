package io.tailrace.worker.device;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceOutcome;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SimilarAnswers;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.sampling.SamplingParameters;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * One request on the device. Once the device has failed it, for good or in one step, it is the host's to the end: what it has said
 * so far is kept for that.
 */
final class DeviceRequest implements RequestDrafts {
    private final DeviceBatch batch;
    private final DeviceLane lane;
    private final int slot;
    private final Function<int[], RequestDrafts> onHost;
    private int[] context;
    private int length;
    /** Null as long as the device serves the request. */
    private RequestDrafts host;

    private final SimilarAnswers similar = new SimilarAnswers();
    private final DraftForecast forecast;
    /** Of the step in hand. */
    private DeviceDraft draft;

    private int allowed;
    private boolean forecasted;

    private DeviceVerdict verdict;
    private int entry;

    DeviceRequest(DeviceBatch batch, DeviceLane lane, int slot, int[] prompt, Function<int[], RequestDrafts> onHost) {
        this.batch = batch;
        this.lane = lane;
        this.slot = slot;
        this.onHost = onHost;
        this.context = prompt.clone();
        this.length = prompt.length;
        this.similar.ask(prompt, prompt.length);
        this.forecast = batch.forecast();
    }

    /** A request that the device has not taken. */
    DeviceRequest(DeviceBatch batch, RequestDrafts host) {
        this.batch = batch;
        this.lane = null;
        this.slot = DraftDevice.NONE;
        this.onHost = context -> host;
        this.forecast = null;
        this.host = host;
    }

    DeviceLane lane() {
        return lane;
    }

    int slot() {
        return slot;
    }

    /** Its entry of the step's batch. */
    int entry() {
        return entry;
    }

    void planned(int place) {
        entry = place;
    }

    /** Brings the answers to similar requests to the device, if there may be others now than those that are there. */
    void prepare(DraftDevice device) {
        if (lane.prepare(similar)) {
            device.similar(slot, similar.texts());
        }
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

    /** What drafts for it on the host; null as long as the device does. */
    RequestDrafts host() {
        return host;
    }

    /** Goes on on the host. */
    private void leaveDevice() {
        host = onHost.apply(Arrays.copyOf(context, length));
        batch.left();
    }

    /** A step begins that wants so many tokens at most. */
    void plan(int budget) {
        draft = null;
        verdict = null;
        forecasted = false;
        if (host == null) {
            allowed = lane.allowed(budget);
            batch.plan(this, allowed);
        }
    }

    /**
     * What the device has drafted, or may be expected to draft; empty: the request is the host's. The device drafts from files that were read after
     * they were checked: a token outside the vocabulary is left to the host, which finds the damage.
     */
    Optional<Draft> draft() {
        forecasted = host == null && batch.completes();
        if (forecasted) {
            return Optional.of(forecast.of(allowed));
        }
        if (host == null && (draft == null || draft.flags() != 0 || !batch.knows(draft))) {
            leaveDevice();
        }
        return host == null ? Optional.of(draft) : Optional.empty();
    }

    void seat(int input, int node, int nodes) {
        if (forecasted) {
            batch.seat(this, new DeviceBatch.Seated(input, node, nodes));
        }
    }

    /** Nothing was verified where the device failed meanwhile: what stood in the pass stayed padding. */
    Optional<Draft> revealed() {
        return forecasted ? Optional.of(draft == null ? forecast.of(0) : draft) : Optional.empty();
    }

    void offer(Logits logits, int input, int end, int nodes, SamplingParameters sampling) {
        if (host == null) {
            batch.offer(this, new OfferedRows.Offer(logits, input, end, nodes, sampling));
        }
    }

    Optional<int[]> chosen() {
        return host != null || verdict == null || verdict.flags() != 0
                ? Optional.empty()
                : Optional.of(verdict.tokens());
    }

    /** What came of a step on the device. */
    void verified(int[] tokens, int count) {
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
    public DraftLearning learned() {
        return host == null ? DraftLearning.NONE : host.learned();
    }

    @Override
    public void close() {
        if (slot != DraftDevice.NONE) {
            batch.release(this);
        }
        if (host != null) {
            host.close();
        }
    }
}
