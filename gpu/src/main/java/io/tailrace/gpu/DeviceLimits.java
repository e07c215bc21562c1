package io.tailrace.gpu;

/**
 * What is reserved on a device, once, and what snapshots may take beside it. Slots do not grow later: what does not fit is a flag, and
 * the host drafts for that request.
 *
 * @param slots requests whose contexts are resident at once
 * @param contextTokensMax tokens of one context; a slot takes 97 bytes for each, and 1.2 MB
 * @param batchMax requests in one step
 * @param budgetMax draft tokens of one request: 16, 32 or 64
 * @param laneBytesMax segments and vocabularies of all lanes together, as they are drafted from; 0: a quarter of what is free once all else is reserved
 */
public record DeviceLimits(int slots, int contextTokensMax, int batchMax, int budgetMax, long laneBytesMax) {
    private static final int BATCH_MAX = 65_535;
    private static final int CONTEXT_MAX = 1 << 26;

    public DeviceLimits {
        requireIn("slots", slots, 1, 1 << 20);
        requireIn("contextTokensMax", contextTokensMax, 1, CONTEXT_MAX);
        requireIn("batchMax", batchMax, 1, BATCH_MAX);
        if (budgetMax != 16 && budgetMax != 32 && budgetMax != 64) {
            throw new IllegalArgumentException("budgetMax must be 16, 32 or 64, got " + budgetMax);
        }
        if (laneBytesMax < 0) {
            throw new IllegalArgumentException("laneBytesMax must be >= 0, got " + laneBytesMax);
        }
    }

    /** Limits with the lanes' bytes by what is free. */
    public DeviceLimits(int slots, int contextTokensMax, int batchMax, int budgetMax) {
        this(slots, contextTokensMax, batchMax, budgetMax, 0);
    }

    /** Rows of a verification: the context's last token and each node. */
    public int rowsMax() {
        return budgetMax + 1;
    }

    private static void requireIn(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be in [" + least + ", " + most + "], got " + value);
        }
    }
}
