package io.tailrace.gpu;

import io.tailrace.suffix.draft.DraftPolicy;
import java.nio.ByteBuffer;

/**
 * What a verification on the device accepted. Layout of {@code struct Verdict} in verify.h.
 *
 * @param flags why there is none, as bits of limits.h; 0: all is well
 * @param tokens the accepted path's tokens, then the model's own
 * @param keptRows rows of the verification whose cache entries stay, ascending; the first is row 0
 */
public record DeviceVerdict(int flags, int[] tokens, int[] keptRows) {
    private static final int ROWS = DraftPolicy.BUDGET_MAX + 1;

    /** Size of one verdict in the device's memory. */
    public static final int BYTES = 8 + 2 * 4 * ROWS;

    /** Reads one verdict's bytes, little-endian. */
    public static DeviceVerdict of(ByteBuffer bytes) {
        int length = bytes.getInt(0);
        int[] tokens = new int[length];
        int[] keptRows = new int[length];
        for (int i = 0; i < length; i++) {
            tokens[i] = bytes.getInt(8 + 4 * i);
            keptRows[i] = bytes.getInt(8 + 4 * (ROWS + i));
        }
        return new DeviceVerdict(bytes.getInt(4), tokens, keptRows);
    }
}
