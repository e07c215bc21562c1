package io.tailrace.gpu.check;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.suffix.draft.Draft;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Compares what a device gave with Java's, and writes it to a file that is compared with another device's. */
final class Comparison {
    private final DataOutputStream out;
    private long drafts;
    private long accepted;

    Comparison(DataOutputStream out) {
        this.out = out;
    }

    long drafts() {
        return drafts;
    }

    long accepted() {
        return accepted;
    }

    /** A draft must be the first nodes of Java's, as many as have room. */
    void draft(DeviceDraft device, Draft java, int nodesMax) throws IOException {
        int size = Math.min(java.size(), nodesMax);
        out.writeInt(device.flags());
        out.writeInt(device.size());
        boolean same = device.flags() == 0 && device.size() == size && device.grown() == java.size();
        for (int node = 0; node < device.size(); node++) {
            int bits = Float.floatToRawIntBits(device.probability(node));
            out.writeInt(device.token(node));
            out.writeInt(device.parent(node));
            out.writeInt(bits);
            same = same
                    && device.token(node) == java.token(node)
                    && device.parent(node) == java.parent(node)
                    && device.source(node) == java.source(node)
                    && device.matchLength(node) == java.matchLength(node)
                    && bits == Float.floatToRawIntBits(java.probability(node));
        }
        if (!same) {
            throw new IllegalStateException("draft %d differs from Java's: flags %d, %d nodes, Java has %d"
                    .formatted(drafts, device.flags(), device.size(), size));
        }
        drafts++;
    }

    /** An entry without a request must have nothing. */
    void idle(DeviceDraft draft, DeviceVerdict verdict) {
        boolean nothing = draft.size() == 0 && draft.flags() == 0 && verdict.tokens().length == 0;
        if (!nothing || verdict.flags() != 0) {
            throw new IllegalStateException("after draft %d an idle entry has something".formatted(drafts));
        }
    }

    /** The tokens that a verdict accepts; a row without a choice must not be. */
    int[] said(DeviceVerdict verdict) throws IOException {
        int[] said = verdict.tokens();
        out.writeInt(verdict.flags());
        out.writeInt(said.length);
        for (int k = 0; k < said.length; k++) {
            out.writeInt(said[k]);
            out.writeInt(verdict.keptRows()[k]);
        }
        if (verdict.flags() != 0 || said.length == 0) {
            throw new IllegalStateException("draft %d has a verdict of flags %d".formatted(drafts, verdict.flags()));
        }
        accepted += said.length - 1;
        return said;
    }

    /** Memory that was read back: its checksum is written. */
    void memory(ByteBuffer bytes) throws IOException {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate());
        out.writeLong(sum.getValue());
    }
}
