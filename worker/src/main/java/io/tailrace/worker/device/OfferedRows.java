package io.tailrace.worker.device;

import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.sampling.SamplingParameters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Brings a step's logits before the device: in place if it can read them there, else in a copy. */
final class OfferedRows {
    private final DraftDevice device;
    private final int vocabulary;
    private final float[] row;
    private final AtomicLong copied = new AtomicLong();
    private ByteBuffer staged = ByteBuffer.allocateDirect(0);

    OfferedRows(DraftDevice device, int vocabulary) {
        this.device = device;
        this.vocabulary = vocabulary;
        this.row = new float[vocabulary];
    }

    /** What one request shows: rows of nodes {@code end} to {@code end + nodes} of an input. */
    record Offer(Logits logits, int input, int end, int nodes, SamplingParameters sampling) {}

    /** Rows that were copied, since the device could not read them where they lay. */
    long copied() {
        return copied.get();
    }

    /**
     * Where the rows of all are.
     *
     * @param offers by entry of the step, null for an idle one; at least one is not
     */
    LogitsRows of(List<Offer> offers) {
        Offer any = offers.stream().filter(Objects::nonNull).findFirst().orElseThrow();
        Optional<Logits.Memory> memory = any.logits().memory().filter(found -> device.reads(found.device()));
        if (memory.isEmpty()) {
            return staged(offers);
        }
        int[] first = offers.stream()
                .mapToInt(offer -> offer == null ? 0 : memory.get().rows().applyAsInt(offer.input(), offer.end()))
                .toArray();
        return new LogitsRows(memory.get().address(), memory.get().vocabulary(), first);
    }

    private LogitsRows staged(List<Offer> offers) {
        int rows = offers.stream()
                .filter(Objects::nonNull)
                .mapToInt(offer -> offer.nodes() + 1)
                .sum();
        int bytes = Math.multiplyExact(Math.multiplyExact(rows, vocabulary), Float.BYTES);
        if (staged.capacity() < bytes) {
            staged = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        staged.clear().limit(bytes);
        int[] first = new int[offers.size()];
        for (int i = 0; i < first.length; i++) {
            first[i] = staged.position() / Float.BYTES / vocabulary;
            if (offers.get(i) != null) {
                copy(offers.get(i));
            }
        }
        copied.addAndGet(rows);
        return new LogitsRows(device.stage(staged.flip()), vocabulary, first);
    }

    private void copy(Offer offer) {
        for (int node = 0; node <= offer.nodes(); node++) {
            offer.logits().copy(offer.input(), offer.end() + node, row);
            staged.asFloatBuffer().put(row);
            staged.position(staged.position() + vocabulary * Float.BYTES);
        }
    }
}
