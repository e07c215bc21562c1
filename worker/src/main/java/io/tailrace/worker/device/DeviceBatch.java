package io.tailrace.worker.device;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.DeviceOutcome;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.LogitsMemory;
import io.tailrace.worker.model.PlannedPass;
import io.tailrace.worker.sampling.SamplingParameters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One step's requests on the device: drafts for all in one launch, tokens of all chosen in one. When the device refuses a step, all
 * its requests go on on the host, and no further one joins. The decode thread's own.
 */
final class DeviceBatch {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceBatch.class);

    private final DraftDevice device;
    private final int vocabulary;
    private final Deque<Integer> freeSlots = new ArrayDeque<>();
    private final List<DeviceRequest> planned = new ArrayList<>();
    private final List<Integer> budgets = new ArrayList<>();
    /** By entry; null where a request has left meanwhile. */
    private final List<Offer> offered = new ArrayList<>();

    /** By entry; null before the pass is gathered. */
    private final List<Seated> seated = new ArrayList<>();

    private final boolean completes;
    private final DraftForecast forecast = new DraftForecast();

    private final float[] row;
    private ByteBuffer staged = ByteBuffer.allocateDirect(0);
    private volatile boolean broken;
    private final AtomicLong copiedRows = new AtomicLong();
    private final AtomicInteger fallBacks = new AtomicInteger();

    /**
     * A batch of nobody.
     *
     * @param vocabulary of the model's logits
     * @param completes whether drafts are written into the pass, so that a step waits once
     */
    DeviceBatch(DraftDevice device, int vocabulary, boolean completes) {
        this.device = device;
        this.completes = completes;
        this.vocabulary = vocabulary;
        this.row = new float[vocabulary];
        for (int slot = 0; slot < device.limits().slots(); slot++) {
            freeSlots.add(slot);
        }
    }

    /** What one request shows: rows of nodes {@code end} to {@code end + nodes} of an input. */
    record Offer(Logits logits, int input, int end, int nodes, SamplingParameters sampling) {}

    /** Where one request's nodes stand: from {@code node} of an input on. */
    record Seated(int input, int node, int nodes) {}

    /** A slot that holds this context, or {@link DraftDevice#NONE} if the device cannot take it. */
    int take(int[] prompt) {
        if (broken || freeSlots.isEmpty() || prompt.length > device.limits().contextTokensMax()) {
            return DraftDevice.NONE;
        }
        int slot = freeSlots.remove();
        try {
            device.add(new int[] {slot}, new int[][] {prompt});
            return slot;
        } catch (DeviceException e) {
            breakWith(e);
            return DraftDevice.NONE;
        }
    }

    void release(DeviceRequest request) {
        freeSlots.add(request.slot());
    }

    void left() {
        fallBacks.incrementAndGet();
    }

    /** Requests that went on on the host. */
    int fallBacks() {
        return fallBacks.get();
    }

    /** Rows of logits that were copied, since the device could not read them where they lay. */
    long copiedRows() {
        return copiedRows.get();
    }

    boolean broken() {
        return broken;
    }

    void plan(DeviceRequest request, int budget) {
        if (!broken) {
            request.planned(planned.size());
            planned.add(request);
            budgets.add(budget);
            offered.add(null);
            seated.add(null);
        }
    }

    /** Whether drafts are forecasts for the host, and written into the pass. */
    boolean completes() {
        return completes && !broken;
    }

    /** What may be expected of a request's first draft. */
    DraftForecast forecast() {
        return new DraftForecast(forecast);
    }

    void learn(DeviceDraft draft, int budget) {
        forecast.learn(draft, budget);
    }

    void seat(DeviceRequest request, Seated seat) {
        if (!broken) {
            seated.set(request.place(), seat);
        }
    }

    /** Writes the drafts of all that planned into the pass. */
    void complete(PlannedPass pass) {
        if (planned.isEmpty()) {
            return;
        }
        try {
            device.fill(new PassInputs(
                    pass.memory(),
                    pass.tokens(),
                    pass.positions(),
                    pass.blocked(),
                    pass.vocabulary(),
                    seated.stream().map(seat -> seatIn(pass, seat)).toList()));
        } catch (DeviceException e) {
            breakWith(e);
        }
    }

    private static PassInputs.Seat seatIn(PlannedPass pass, Seated seated) {
        if (seated == null || seated.nodes() == 0) {
            return PassInputs.Seat.NONE;
        }
        PlannedPass.Seat seat = pass.seats().of(seated.input(), seated.node());
        return new PassInputs.Seat(seat.cell(), seat.row(), seated.nodes(), seat.columns(), seat.position());
    }

    /** Drafts for all that planned. */
    void draft() {
        if (planned.isEmpty()) {
            return;
        }
        int[] most = budgets.stream().mapToInt(i -> i).toArray();
        try {
            device.draft(slots(), lanes(most), most);
            if (completes) {
                return;
            }
            List<DeviceDraft> drafts = device.drafts();
            for (int i = 0; i < drafts.size(); i++) {
                planned.get(i).drafted(drafts.get(i));
            }
        } catch (DeviceException e) {
            breakWith(e);
        }
    }

    void offer(DeviceRequest request, Offer offer) {
        if (!broken) {
            offered.set(request.place(), offer);
        }
    }

    /** Chooses for all that planned; ends the step. */
    void choose() {
        try {
            if (!broken && offered.stream().anyMatch(Objects::nonNull)) {
                trim();
                verify();
                judge();
            }
        } catch (DeviceException e) {
            breakWith(e);
        } finally {
            clear();
        }
    }

    /** Cuts drafts to what the host has put into the pass; where the device did, it has cut them. */
    private void trim() {
        if (!completes) {
            device.trim(offered.stream()
                    .mapToInt(offer -> offer == null ? 0 : offer.nodes())
                    .toArray());
        }
    }

    private void verify() {
        List<SamplingRule> rules = offered.stream()
                .map(offer -> offer == null ? SamplingRule.GREEDY : rule(offer.sampling()))
                .toList();
        device.verify(rows(), rules);
    }

    private void judge() {
        if (completes) {
            List<DeviceOutcome> outcomes = device.outcomes();
            for (int i = 0; i < outcomes.size(); i++) {
                planned.get(i).judged(outcomes.get(i));
            }
        } else {
            List<DeviceVerdict> verdicts = device.verdicts();
            for (int i = 0; i < verdicts.size(); i++) {
                planned.get(i).judged(verdicts.get(i));
            }
        }
    }

    private void clear() {
        planned.clear();
        budgets.clear();
        offered.clear();
        seated.clear();
    }

    /** Where the logits are: in place if the device can read them there, else in a copy. */
    private LogitsRows rows() {
        Offer any = offered.stream().filter(Objects::nonNull).findFirst().orElseThrow();
        Optional<LogitsMemory> memory = any.logits().memory().filter(found -> device.reads(found.device()));
        if (memory.isEmpty()) {
            return staged();
        }
        int[] first = offered.stream()
                .mapToInt(offer -> offer == null ? 0 : memory.get().rows().applyAsInt(offer.input(), offer.end()))
                .toArray();
        return new LogitsRows(memory.get().address(), memory.get().vocabulary(), first);
    }

    private LogitsRows staged() {
        int rows = offered.stream()
                .filter(Objects::nonNull)
                .mapToInt(offer -> offer.nodes() + 1)
                .sum();
        int bytes = Math.multiplyExact(Math.multiplyExact(rows, vocabulary), Float.BYTES);
        if (staged.capacity() < bytes) {
            staged = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        staged.clear().limit(bytes);
        int[] first = new int[offered.size()];
        for (int i = 0; i < offered.size(); i++) {
            Offer offer = offered.get(i);
            if (offer == null) {
                continue;
            }
            first[i] = staged.position() / Float.BYTES / vocabulary;
            for (int node = 0; node <= offer.nodes(); node++) {
                offer.logits().copy(offer.input(), offer.end() + node, row);
                staged.asFloatBuffer().put(row);
                staged.position(staged.position() + vocabulary * Float.BYTES);
            }
        }
        copiedRows.addAndGet(rows);
        return new LogitsRows(device.stage(staged.flip()), vocabulary, first);
    }

    private int[] slots() {
        return planned.stream().mapToInt(DeviceRequest::slot).toArray();
    }

    private int[] lanes(int[] most) {
        int[] lanes = new int[most.length];
        Arrays.setAll(
                lanes,
                i -> most[i] == 0 ? DraftDevice.NONE : planned.get(i).lane().number());
        return lanes;
    }

    private static SamplingRule rule(SamplingParameters sampling) {
        return new SamplingRule(sampling.temperature(), sampling.topP(), sampling.topK(), sampling.seed());
    }

    private void breakWith(DeviceException e) {
        broken = true;
        clear();
        LOG.error("{} refuses to go on, this worker drafts on the host from now on", device.name(), e);
    }
}
