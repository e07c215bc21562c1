package io.tailrace.worker.device;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.PlannedPass;
import io.tailrace.worker.sampling.SamplingParameters;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drafts and chooses on a device, for all requests of a step at once. A request that the device cannot take, or fails, is drafted
 * for on the host. Owns the device.
 *
 * <p>Every request's tokens are chosen on the device, also of those that want no drafts: its chance is not the host's, and sampled
 * output must not depend on drafts.
 */
public final class DeviceDrafts implements DraftSource, PassDrafts, TokenChoice {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceDrafts.class);

    private final DraftDevice device;
    private final DraftSource host;
    private final Function<String, ServedLane> lanes;
    private final ServedModel model;
    private final Path scratch;
    private final DeviceBatch batch;
    private final HostSteps hostSteps;
    private final SnapshotUploads uploads;
    private final Map<String, DeviceLane> onDevice = new HashMap<>();
    /** The step in hand. */
    private Step step;

    /**
     * Drafts on a device.
     *
     * @param device closed with this
     * @param host drafts for what the device does not; closed with this
     * @param inputMemory whose memory the model's inputs lie in; if the device can write there, drafts go into the pass unseen by the
     *     host, which plans by forecasts
     * @param lanes a scope's lane
     * @param scratch folder for short-lived segment files
     */
    public DeviceDrafts(
            DraftDevice device,
            DraftSource host,
            Optional<String> inputMemory,
            Function<String, ServedLane> lanes,
            ServedModel model,
            Path scratch) {
        this.device = device;
        this.host = host;
        this.lanes = lanes;
        this.model = model;
        this.scratch = scratch;
        this.hostSteps = new HostSteps(host);
        this.batch = new DeviceBatch(
                device,
                model.vocabularySize(),
                inputMemory.filter(device::reads).isPresent());
        this.uploads = new SnapshotUploads(device);
    }

    @Override
    public String strategy() {
        return host.strategy();
    }

    @Override
    public RequestDrafts begin(String scope, int[] prompt) {
        DeviceLane lane = batch.broken() ? null : lane(scope);
        int slot = lane == null ? DraftDevice.NONE : batch.take(prompt);
        return slot == DraftDevice.NONE
                ? new DeviceRequest(batch, host.begin(scope, prompt))
                : new DeviceRequest(batch, lane, slot, prompt, context -> host.begin(scope, context));
    }

    /** First on the device; then on the host, for those that are not there, or have just left it. */
    @Override
    public void draft(Step next) {
        step = next;
        for (int place = 0; place < step.size(); place++) {
            request(place).plan(step.budget(place));
        }
        long began = System.nanoTime();
        batch.draft();
        long nanos = System.nanoTime() - began;
        hostSteps.begin();
        for (int place = 0; place < step.size(); place++) {
            Optional<Draft> draft = request(place).draft();
            if (draft.isPresent()) {
                step.put(place, draft.get(), nanos / step.size());
            } else {
                hostSteps.add(place, request(place).host(), step);
            }
        }
        hostSteps.draft(step);
    }

    /** The host hears of its own first: who leaves the device now was not in its step. */
    @Override
    public void verified(Step ended, StepOutcomes outcomes) {
        hostSteps.verified(outcomes);
        for (int place = 0; place < ended.size(); place++) {
            if (request(place).host() == null) {
                request(place).verified(outcomes.tokens(place), outcomes.count(place));
            }
        }
    }

    @Override
    public boolean completes() {
        return batch.completes();
    }

    @Override
    public void seat(int place, int input, int node, int nodes) {
        request(place).seat(input, node, nodes);
    }

    @Override
    public void complete(PlannedPass pass) {
        batch.complete(pass);
    }

    @Override
    public Optional<Draft> revealed(int place) {
        return request(place).revealed();
    }

    @Override
    public void offer(int place, Logits logits, int input, int end, int nodes, SamplingParameters sampling) {
        request(place).offer(logits, input, end, nodes, sampling);
    }

    @Override
    public void choose() {
        batch.choose();
    }

    @Override
    public Optional<int[]> chosen(int place) {
        return request(place).chosen();
    }

    private DeviceRequest request(int place) {
        return step.request(place, DeviceRequest.class);
    }

    /** Requests that the device had taken and that went on on the host. */
    public int fallBacks() {
        return batch.fallBacks();
    }

    /** Rows of logits that were copied, since the device could not read them where the model left them. */
    public long copiedRows() {
        return batch.copiedRows();
    }

    /** Uploads of snapshots that failed; each is tried again, and meanwhile its lane drafts from requests' own contexts. */
    public long failedUploads() {
        return uploads.failures();
    }

    /** How often a lane was left without room among the lanes' bytes, and drafted from requests' own contexts. */
    public long withoutRoom() {
        return uploads.withoutRoom();
    }

    /** Bytes of the lanes' segments and vocabularies on the device. */
    public long laneBytes() {
        return uploads.laneBytes();
    }

    /** Whether the device has refused to go on, so that all requests are the host's. */
    public boolean broken() {
        return batch.broken();
    }

    /** Whether the process has lost the device, and the model's memory with it. */
    public boolean lost() {
        return batch.lost() || uploads.lost();
    }

    @Override
    public void close() {
        uploads.close();
        host.close();
        try {
            device.close();
        } catch (DeviceException e) {
            LOG.warn("{} did not close in order", device.name(), e);
        }
    }

    /** The scope's lane on the device; null if the device has no room for it, or the worker does not follow it. */
    private DeviceLane lane(String scope) {
        DeviceLane known = onDevice.get(scope);
        if (known != null) {
            if (known.asked()) {
                uploads.changed(known);
            }
            return known;
        }
        ServedLane followed = lanes.apply(scope);
        if (!followed.live().followed()) {
            return null;
        }
        SegmentIdentity identity = model.identity(followed.lane());
        try {
            DeviceLane lane = new DeviceLane(onDevice.size(), followed, new ImageMaker(identity, scratch), device);
            onDevice.put(scope, lane);
            followed.servedFrom(live -> batch.broken() ? live : lane.version());
            followed.onChange(() -> uploads.changed(lane));
            uploads.changed(lane);
            return lane;
        } catch (DeviceLostException e) {
            batch.refused(e);
            return null;
        } catch (DeviceException e) {
            LOG.warn(
                    "lane {}: drafts on the host, {} does not take it: {}",
                    followed.lane(),
                    device.name(),
                    e.getMessage());
            return null;
        }
    }
}
