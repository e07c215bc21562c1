package io.tailrace.tap.proxy;

/**
 * What may be kept of bodies until they are published. What goes beyond is forwarded all the same, and not published.
 *
 * @param requestBytesMax of one request
 * @param answerBytesMax of one answer
 * @param allBytesMax of all requests and answers together
 */
public record KeptLimits(int requestBytesMax, int answerBytesMax, long allBytesMax) {
    public KeptLimits {
        if (requestBytesMax < 1 || answerBytesMax < 1 || allBytesMax < 1) {
            throw new IllegalArgumentException(
                    "requestBytesMax, answerBytesMax and allBytesMax must be at least 1; got %d, %d and %d"
                            .formatted(requestBytesMax, answerBytesMax, allBytesMax));
        }
    }

    /** 8 MiB of a request, 32 MiB of an answer (100,000 streamed tokens), 256 MiB in all. */
    public static KeptLimits defaults() {
        return new KeptLimits(8 << 20, 32 << 20, 256L << 20);
    }
}
