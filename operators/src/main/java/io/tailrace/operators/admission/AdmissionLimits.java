package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;
import java.time.Duration;

/**
 * What a generation may measure.
 *
 * @param responseTokensMax longest response, in tokens
 * @param promptTokensMax longest prompt, in tokens
 * @param futureMillisMax how far a completion time may lie ahead of the job's clock
 * @param ageMillisMax how far it may lie behind
 */
public record AdmissionLimits(int responseTokensMax, int promptTokensMax, long futureMillisMax, long ageMillisMax)
        implements Serializable {
    /** Longest request id and producer name, in characters. */
    public static final int NAME_CHARS_MAX = 200;
    /** How far a producer's clock may be ahead of the job's. */
    public static final long FUTURE_MILLIS_MAX = Duration.ofMinutes(5).toMillis();
    /** Clocks that are no further ahead are taken to be right: what they say is kept to the millisecond. */
    static final long CLOCK_SKEW_MILLIS = 1_000;

    public AdmissionLimits {
        require(responseTokensMax > 0, "responseTokensMax must be > 0, got %d", responseTokensMax);
        require(promptTokensMax > 0, "promptTokensMax must be > 0, got %d", promptTokensMax);
        require(futureMillisMax >= 0, "futureMillisMax must be >= 0, got %d", futureMillisMax);
        require(ageMillisMax > 0, "ageMillisMax must be > 0, got %d", ageMillisMax);
    }

    /** 131,072 response tokens, 1,048,576 prompt tokens, five minutes ahead, seven days behind. */
    public static AdmissionLimits defaults() {
        return new AdmissionLimits(
                1 << 17, 1 << 20, FUTURE_MILLIS_MAX, Duration.ofDays(7).toMillis());
    }
}
