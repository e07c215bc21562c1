package io.tailrace.gpu;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;
import java.nio.ByteBuffer;

/**
 * A draft that a device grew, copied to the host. Layout of {@code struct Draft} in workspace.h: size, flags, grown size, nothing,
 * then six arrays of 64 (token, parent, depth, source, match length, probability).
 */
public final class DeviceDraft implements Draft {
    /** Size of one draft in the device's memory. */
    public static final int BYTES = 16 + 6 * 4 * DraftPolicy.BUDGET_MAX;

    private static final SourceKind[] KINDS = SourceKind.values();
    private static final int ARRAYS = 16;
    private static final int TOKEN = 0;
    private static final int PARENT = 1;
    private static final int SOURCE = 3;
    private static final int MATCH = 4;
    private static final int PROBABILITY = 5;

    private final ByteBuffer bytes;

    /** A view of one draft's bytes, little-endian. */
    public DeviceDraft(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    @Override
    public int size() {
        return bytes.getInt(0);
    }

    /** Why nothing was drafted on the device, as bits of limits.h; 0: all is well. The host drafts for such a request. */
    public int flags() {
        return bytes.getInt(4);
    }

    /** Nodes that the device grew; the first {@link #size} of them are verified. */
    public int grown() {
        return bytes.getInt(8);
    }

    /** The probability of a node that was grown, also of one that was cut off. */
    public float probabilityGrown(int node) {
        return bytes.getFloat(at(PROBABILITY, node, grown()));
    }

    @Override
    public int token(int node) {
        return bytes.getInt(at(TOKEN, node));
    }

    @Override
    public int parent(int node) {
        return bytes.getInt(at(PARENT, node));
    }

    @Override
    public float probability(int node) {
        return bytes.getFloat(at(PROBABILITY, node));
    }

    @Override
    public SourceKind source(int node) {
        int source = bytes.getInt(at(SOURCE, node));
        return source == DraftTree.NO_SOURCE ? null : KINDS[source];
    }

    @Override
    public int matchLength(int node) {
        return bytes.getInt(at(MATCH, node));
    }

    private int at(int array, int node) {
        return at(array, node, size());
    }

    private static int at(int array, int node, int nodes) {
        if (node < 0 || node >= nodes) {
            throw new IndexOutOfBoundsException("node must be in [0, " + nodes + "), got " + node);
        }
        return ARRAYS + (array * DraftPolicy.BUDGET_MAX + node) * Integer.BYTES;
    }
}
