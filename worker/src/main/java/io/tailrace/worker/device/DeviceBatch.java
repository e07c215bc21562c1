package io.tailrace.worker.device;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.gpu.DeviceOutcome;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.worker.device.OfferedRows.Offer;
import io.tailrace.worker.model.PlannedPass;
import io.tailrace.worker.sampling.SamplingParameters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One step's requests on the device: drafts for all in one launch, tokens of all chosen in one. When the device refuses a step, all
 * its requests go on on the host, and no further one joins; when the process has lost the device, the exception goes on to the decode
 * loop. The decode thread's own.
 */
final class DeviceBatch {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceBatch.class);

    private final DraftDevice device;
    private final OfferedRows rows;
    private final int vocabulary;
    private final boolean completes;
    private final DraftForecast forecast = new DraftForecast();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();
    private final AtomicInteger fallBacks = new AtomicInteger();
    /** Of the step in hand. */
    private final List<Entry> entries = new ArrayList<>();

    private volatile boolean broken;
    private volatile DeviceLostException lost;

    /**
     * A batch of nobody.
     *
     * @param vocabulary of the model's logits
     * @param completes whether drafts are written into the pass, so that a step waits once
     */
    DeviceBatch(DraftDevice device, int vocabulary, boolean completes) {
        this.device = device;
        this.rows = new OfferedRows(device, vocabulary);
        this.vocabulary = vocabulary;
        this.completes = completes;
        for (int slot = 0; slot < device.limits().slots(); slot++) {
            freeSlots.add(slot);
        }
    }

    /** Where one request's nodes stand: from {@code node} of an input on. */
    record Seated(int input, int node, int nodes) {
        PassInputs.Seat in(PlannedPass pass) {
            if (nodes == 0) {
                return PassInputs.Seat.NONE;
            }
            PlannedPass.Seat seat = pass.seats().of(input, node);
            return new PassInputs.Seat(seat.cell(), seat.row(), nodes, seat.columns(), seat.position());
        }
    }

    /** One request in the step; what it has not said yet, or says no more since it has left, is null. */
    private static final class Entry {
        private final DeviceRequest request;
        private final int budget;
        private Seated seated;
        private Offer offer;

        Entry(DeviceRequest request, int budget) {
            this.request = request;
            this.budget = budget;
        }

        int lane() {
            return budget == 0 ? DraftDevice.NONE : request.lane().number();
        }

        PassInputs.Seat seat(PlannedPass pass) {
            return seated == null ? PassInputs.Seat.NONE : seated.in(pass);
        }

        int nodes() {
            return offer == null ? 0 : offer.nodes();
        }

        SamplingRule rule() {
            if (offer == null) {
                return SamplingRule.GREEDY;
            }
            SamplingParameters sampling = offer.sampling();
            return new SamplingRule(sampling.temperature(), sampling.topP(), sampling.topK(), sampling.seed());
        }
    }

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
            if (e.isOutOfMemory()) {
                LOG.warn("{} has no memory just now, one request drafts on the host", device.name(), e);
                freeSlots.add(slot);
            } else {
                refused(e);
            }
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
        return rows.copied();
    }

    boolean broken() {
        return broken;
    }

    boolean lost() {
        return lost != null;
    }

    /** Whether drafts are forecasts for the host, and written into the pass. */
    boolean completes() {
        return completes && !broken;
    }

    /** Whether the model takes the draft's tokens. */
    boolean knows(DeviceDraft draft) {
        return draft.isWithin(vocabulary);
    }

    /** What may be expected of a request's first draft. */
    DraftForecast forecast() {
        return new DraftForecast(forecast);
    }

    void learn(DeviceDraft draft, int budget) {
        forecast.learn(draft, budget);
    }

    void plan(DeviceRequest request, int budget) {
        if (!broken) {
            request.planned(entries.size());
            entries.add(new Entry(request, budget));
        }
    }

    /** Drafts for all that planned. */
    void draft() {
        throwIfLost();
        if (entries.isEmpty()) {
            return;
        }
        try {
            prepare();
            device.draft(ints(entry -> entry.request.slot()), ints(Entry::lane), ints(entry -> entry.budget));
            if (!completes) {
                List<DeviceDraft> drafts = device.drafts();
                each((entry, place) -> entry.request.drafted(drafts.get(place)));
            }
        } catch (DeviceException e) {
            breakWith(e);
        }
    }

    /** Brings those that draft the answers to the requests most like them. */
    private void prepare() {
        for (Entry entry : entries) {
            if (entry.budget > 0) {
                entry.request.prepare(device);
            }
        }
    }

    void seat(DeviceRequest request, Seated seat) {
        if (!broken) {
            entries.get(request.entry()).seated = seat;
        }
    }

    /** Writes the drafts of all that planned into the pass. */
    void complete(PlannedPass pass) {
        if (entries.isEmpty()) {
            return;
        }
        try {
            device.fill(new PassInputs(
                    pass.memory(),
                    pass.tokens(),
                    pass.positions(),
                    pass.blocked(),
                    pass.vocabulary(),
                    entries.stream().map(entry -> entry.seat(pass)).toList()));
        } catch (DeviceException e) {
            breakWith(e);
        }
    }

    void offer(DeviceRequest request, Offer offer) {
        if (!broken) {
            entries.get(request.entry()).offer = offer;
        }
    }

    /** Chooses for all that planned; ends the step. */
    void choose() {
        try {
            if (entries.stream().anyMatch(entry -> entry.offer != null)) {
                verify();
            }
        } catch (DeviceException e) {
            breakWith(e);
        } finally {
            entries.clear();
        }
    }

    /** Drafts are cut to what is in the pass: where the device completed it, it has cut them. */
    private void verify() {
        if (!completes) {
            device.trim(ints(Entry::nodes));
        }
        List<Offer> offers = new ArrayList<>();
        entries.forEach(entry -> offers.add(entry.offer));
        device.verify(rows.of(offers), entries.stream().map(Entry::rule).toList());
        if (completes) {
            List<DeviceOutcome> outcomes = device.outcomes();
            each((entry, place) -> entry.request.judged(outcomes.get(place)));
        } else {
            List<DeviceVerdict> verdicts = device.verdicts();
            each((entry, place) -> entry.request.judged(verdicts.get(place)));
        }
    }

    private void each(ObjIntConsumer<Entry> work) {
        for (int place = 0; place < entries.size(); place++) {
            work.accept(entries.get(place), place);
        }
    }

    private int[] ints(ToIntFunction<Entry> value) {
        return entries.stream().mapToInt(value).toArray();
    }

    private void breakWith(DeviceException e) {
        refused(e);
        throwIfLost();
    }

    /** Ends drafting on the device. */
    void refused(DeviceException e) {
        broken = true;
        entries.clear();
        if (e instanceof DeviceLostException gone) {
            lost = gone;
        } else {
            LOG.error("{} refuses to go on, this worker drafts on the host from now on", device.name(), e);
        }
    }

    /**
     * A device that is lost takes the model's memory with it: the decode loop ends, and with it the worker. In a step, not when a
     * request begins, so that the request is told, too.
     */
    private void throwIfLost() {
        if (lost != null) {
            throw lost;
        }
    }
}
