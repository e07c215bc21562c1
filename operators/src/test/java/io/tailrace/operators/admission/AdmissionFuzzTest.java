package io.tailrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.operators.FuzzedRecords;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import io.tailrace.testkit.AllocationLimit;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Topic generations: each record is admitted or becomes a rejection, which its topic takes. */
final class AdmissionFuzzTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final AdmissionRules RULES = new AdmissionRules(new AdmissionOptions(
            Samples.MODELS,
            new AdmissionOptions.Limits(8, 8, 300_000, 1_000_000),
            List.of(AdmissionOptions.ScopeRule.parse("gateway-*=acme*")),
            8,
            Set.of("acme-prompts"),
            PromptTails.defaults(),
            PromptSignatures.defaults(),
            10,
            true));
    private static final FuzzedRecords GENERATIONS = FuzzedRecords.of(
            RecordCodec.GENERATION,
            List.of(
                    generation("acme", "gateway-7", 1, 2, 3),
                    generation("acme-prompts", "gateway-7", 999),
                    generation("acme", "stranger", 1),
                    generation("", "gateway-7", -1)));

    private static Generation generation(String scope, String producer, int... response) {
        return new Generation(
                "request-1",
                new Lane("toy", "1", scope),
                producer,
                TokenIds.toList(new int[] {900, 901}),
                TokenIds.toList(response),
                Instant.ofEpochMilli(NOW - 10),
                Instant.ofEpochMilli(NOW),
                null);
    }

    static Stream<byte[]> seeds() {
        return GENERATIONS.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void aGenerationIsAdmittedOrRejected(byte[] body) throws Exception {
        RawRecord raw = GENERATIONS.raw(body);
        AdmissionRules.Verdict verdict = AllocationLimit.check(body.length, () -> RULES.judge(raw, NOW));
        if (verdict.isAdmitted()) {
            AdmittedGeneration admitted = verdict.admitted();
            assertThat(LaneId.parse(admitted.lane()).toString()).isEqualTo(admitted.lane());
            assertThat(admitted.shard()).isBetween(0, 7);
            assertThat(verdict.response()).hasSizeBetween(1, 8);
        } else {
            Rejection rejection = verdict.rejection();
            assertThat(rejection.getDetail()).isNotBlank();
            byte[] record = RejectedRecord.of(rejection).record().value();
            assertThat(RecordCodec.REJECTION.decode(record)).isEqualTo(rejection);
        }
    }
}
