package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.file.Path;

/**
 * How large a sidecar is, for who has to say what merging it takes.
 *
 * @param bytes of the file
 * @param producers distinct names in it
 */
public record SidecarSize(long bytes, int producers) {
    /** Of a generation, and of its document where it is the only one. */
    private static final long BYTES_A_GENERATION = SidecarFormat.ENTRY_BYTES + Integer.BYTES;

    private static final long NAME_BYTES_A_CHAR_MAX = 3;

    /**
     * Of a file.
     *
     * @param file an intact sidecar
     * @return its size
     * @throws IOException if it cannot be read
     */
    public static SidecarSize of(Path file) throws IOException {
        return SidecarFormat.size(file);
    }

    /**
     * What a generation adds to one, at most.
     *
     * @param producer who answered
     * @return the size
     */
    public static SidecarSize ofGeneration(String producer) {
        long name = Integer.BYTES + NAME_BYTES_A_CHAR_MAX * producer.length();
        return new SidecarSize(BYTES_A_GENERATION + name, 1);
    }

    /** Of so many generations of few producers, each the only one of its document. */
    static SidecarSize ofGenerations(long generations) {
        return new SidecarSize(BYTES_A_GENERATION * generations, 0);
    }
}
