package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DraftPolicyTest {
    private static final DraftPolicy ONE = policy(0.5f, -1);

    /** Each snapshot brings an array of its own; what is made for a policy is kept as long as the policy stays what it is. */
    @Test
    void policiesOfEqualNumbersAreEqual() {
        assertThat(policy(0.5f, -1)).isEqualTo(ONE).hasSameHashCodeAs(ONE);
    }

    @Test
    void oneOtherNumberMakesAnotherPolicy() {
        assertThat(List.of(
                        policy(0.5f, 1),
                        policy(0.5f),
                        new DraftPolicy(false, 16, 0.003f, 1, new float[] {0.5f, -1}),
                        new DraftPolicy(true, 15, 0.003f, 1, new float[] {0.5f, -1}),
                        new DraftPolicy(true, 16, 0.004f, 1, new float[] {0.5f, -1}),
                        new DraftPolicy(true, 16, 0.003f, 2, new float[] {0.5f, -1})))
                .doesNotContain(ONE);
    }

    private static DraftPolicy policy(float... weights) {
        return new DraftPolicy(true, 16, 0.003f, 1, weights);
    }
}
