package io.tailrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class AdmissionRulesTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final AdmissionOptions.Limits LIMITS = new AdmissionOptions.Limits(5, 4, 300_000, 1_000_000);

    private final AdmissionRules rules = rules(List.of(), Set.of(), false);

    private static AdmissionRules rules(
            List<AdmissionOptions.ScopeRule> scopeRules, Set<String> promptScopes, boolean keepBytes) {
        return new AdmissionRules(new AdmissionOptions(
                Samples.MODELS,
                LIMITS,
                scopeRules,
                8,
                promptScopes,
                PromptTails.defaults(),
                PromptSignatures.defaults(),
                10,
                keepBytes));
    }

    private static byte[] generation(Consumer<Generation> change) {
        Generation generation = new Generation(
                "request-1",
                new Lane("toy", "1", "acme"),
                "gateway-7",
                TokenIds.toList(new int[] {900, 901}),
                TokenIds.toList(new int[] {1, 2, 3}),
                Instant.ofEpochMilli(NOW - 10),
                Instant.ofEpochMilli(NOW),
                null);
        change.accept(generation);
        return RecordCodec.GENERATION.encode(generation);
    }

    @Test
    void aGenerationArrivedWhenTheBrokersSayAndNoLaterThanNow() {
        byte[] bytes = generation(g -> {});
        Map<Long, Long> arrivals =
                Map.of(NOW - 86_400_000, NOW - 86_400_000, NOW, NOW, NOW + 86_400_000, NOW, -1L, NOW);
        arrivals.forEach((told, arrivedAt) -> assertThat(
                        rules.judge(new RawRecord("generations", 3, 17, told, bytes), NOW)
                                .admitted()
                                .arrivedAt())
                .as("told %d", told)
                .isEqualTo(arrivedAt));
    }

    private AdmissionRules.Verdict judge(byte[] bytes) {
        return rules.judge(raw(bytes), NOW);
    }

    private static RawRecord raw(byte[] bytes) {
        return new RawRecord("generations", 3, 17, NOW, bytes);
    }

    private Rejection refused(byte[] bytes, RejectionReason reason) {
        AdmissionRules.Verdict verdict = judge(bytes);
        assertThat(verdict.isAdmitted()).as("expected %s", reason).isFalse();
        Rejection rejection = verdict.rejection();
        assertThat(rejection.getReason()).isEqualTo(reason);
        assertThat(rejection.getTopic()).isEqualTo("generations");
        assertThat(rejection.getPartition()).isEqualTo(3);
        assertThat(rejection.getOffset()).isEqualTo(17);
        assertThat(rejection.getBytes()).isNull();
        return rejection;
    }

    private Rejection refused(Consumer<Generation> change, RejectionReason reason) {
        return refused(generation(change), reason);
    }

    @Test
    void aSoundGenerationIsAdmittedWithItsResponseAlone() {
        AdmittedGeneration admitted = judge(generation(g -> {})).admitted();
        RequestHash hash = RequestHash.of("request-1");
        assertThat(admitted.lane()).isEqualTo(Samples.LANE);
        assertThat(admitted.shard()).isEqualTo(hash.shard(8));
        assertThat(new RequestHash(admitted.requestHigh(), admitted.requestLow()))
                .isEqualTo(hash);
        assertThat(admitted.producer()).isEqualTo("gateway-7");
        assertThat(admitted.completedAt()).isEqualTo(NOW);
        assertThat(admitted.tokens()).containsExactly(1, 2, 3);
        assertThat(admitted.partition()).isEqualTo(3);
        assertThat(admitted.offset()).isEqualTo(17);
    }

    @Test
    void aScopeThatOptedInHasItsPromptsIndexedToo() {
        AdmissionRules optedIn = rules(List.of(), Set.of("acme"), false);
        assertThat(optedIn.judge(raw(generation(g -> {})), NOW).admitted().tokens())
                .containsExactly(900, 901, 1, 2, 3);
        assertThat(optedIn.judge(raw(generation(g -> g.setPrompt(null))), NOW)
                        .admitted()
                        .tokens())
                .containsExactly(1, 2, 3);
        assertThat(rules(List.of(), Set.of("other"), false)
                        .judge(raw(generation(g -> {})), NOW)
                        .admitted()
                        .tokens())
                .as("where another scope did")
                .containsExactly(1, 2, 3);
    }

    @Test
    void ofAPromptTheLastTokensAreKeptAndNoneWhereTheScopeSaysSo() {
        Consumer<Generation> asked = g -> g.setPrompt(List.of(10, 11, 12, 13));
        assertThat(judge(generation(asked)).admitted().promptTail()).containsExactly(11, 12, 13);
        assertThat(judge(generation(g -> {})).admitted().promptTail()).containsExactly(900, 901);
        assertThat(judge(generation(g -> g.setPrompt(null))).admitted().promptTail())
                .isEmpty();
        assertThat(tail(PromptTails.parse(List.of("acme=0")), asked)).isEmpty();
        assertThat(tail(PromptTails.parse(List.of("other=0", "1")), asked)).containsExactly(13);
        assertThat(tail(PromptTails.parse(List.of("acme=32")), asked)).containsExactly(10, 11, 12, 13);
        assertThat(tail(PromptTails.parse(List.of("other=32")), asked)).containsExactly(11, 12, 13);
    }

    private static int[] tail(PromptTails tails, Consumer<Generation> change) {
        return new AdmissionRules(options(tails, PromptSignatures.defaults()))
                .judge(raw(generation(change)), NOW)
                .admitted()
                .promptTail();
    }

    private static AdmissionOptions options(PromptTails tails, PromptSignatures signatures) {
        return new AdmissionOptions(Samples.MODELS, LIMITS, List.of(), 8, Set.of(), tails, signatures, 10, false);
    }

    @Test
    void aPromptLeavesASignatureAndNoneWhereTheScopeSaysSo() {
        Consumer<Generation> asked = g -> g.setPrompt(List.of(10, 11, 12, 13));
        PromptSignature signature = PromptSignature.of(new int[] {10, 11, 12, 13});
        assertThat(signature(List.of(), asked)).isEqualTo(signature.bytes());
        assertThat(signature(List.of("other=off"), asked)).isEqualTo(signature.bytes());
        assertThat(signature(List.of("off", "acme=on"), asked)).isEqualTo(signature.bytes());
        assertThat(signature(List.of("acme=off"), asked)).isEmpty();
        assertThat(signature(List.of("off"), asked)).isEmpty();
        assertThat(signature(List.of("off", "other=on"), asked)).isEmpty();
        assertThat(signature(List.of(), g -> g.setPrompt(null))).isEmpty();
        assertThat(rules(List.of(), Set.of("acme"), false)
                        .judge(raw(generation(asked)), NOW)
                        .admitted()
                        .signature())
                .as("where prompts are indexed whole")
                .isEmpty();
    }

    @Test
    void whichTokensAreCopiesIsKnownWhereASignatureIsKeptAndNowhereElse() {
        byte[] asked = generation(g -> g.setPrompt(List.of(10, 2, 12)));
        assertThat(BitSet.valueOf(judge(asked).admitted().copied()).stream()).containsExactly(1);
        AdmissionRules without =
                new AdmissionRules(options(PromptTails.defaults(), PromptSignatures.parse(List.of("acme=off"))));
        assertThat(without.judge(raw(asked), NOW).admitted().copied()).isEmpty();
    }

    @Test
    void theSignatureGoesIntoTheSegment() {
        AdmittedGeneration admitted =
                judge(generation(g -> g.setPrompt(List.of(10, 11)))).admitted();
        assertThat(admitted.toInput().answer().signature()).isEqualTo(PromptSignature.of(new int[] {10, 11}));
    }

    private static byte[] signature(List<String> said, Consumer<Generation> change) {
        return new AdmissionRules(options(PromptTails.defaults(), PromptSignatures.parse(said)))
                .judge(raw(generation(change)), NOW)
                .admitted()
                .signature();
    }

    @Test
    void signaturesAreReadStrictly() {
        assertThat(PromptSignatures.parse(List.of())).isEqualTo(PromptSignatures.defaults());
        assertThat(PromptSignatures.parse(List.of("a=b=off")).byScope()).containsExactly(Map.entry("a=b", false));
        for (List<String> wrong :
                List.of(List.of("yes"), List.of(""), List.of("a="), List.of("a=on", "a=on"), List.of("on", "off"))) {
            assertThatThrownBy(() -> PromptSignatures.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void tailsAreReadStrictly() {
        assertThat(PromptTails.parse(List.of())).isEqualTo(PromptTails.defaults());
        assertThat(PromptTails.parse(List.of("a=b=5")).byScope()).containsExactly(Map.entry("a=b", 5));
        for (List<String> wrong : List.of(
                List.of("33"),
                List.of("-1"),
                List.of("a="),
                List.of("a=x"),
                List.of("a=1", "a=2"),
                List.of("1", "1"))) {
            assertThatThrownBy(() -> PromptTails.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void bytesThatAreNoRecordAreUndecodable() {
        refused(new byte[] {1, 2, 3}, RejectionReason.UNDECODABLE);
        refused((byte[]) null, RejectionReason.UNDECODABLE);
    }

    @Test
    void anUnknownFingerprintIsAnUnknownSchema() {
        byte[] bytes = generation(g -> {});
        bytes[5] ^= 1;
        refused(bytes, RejectionReason.UNKNOWN_SCHEMA);
    }

    @Test
    void aRecordOverTheLimitIsTooLarge() {
        refused(new byte[Topic.RECORD_BYTES_MAX + 1], RejectionReason.RECORD_TOO_LARGE);
    }

    @Test
    void emptyAndTooLongNamesAreRefused() {
        assertThat(refused(g -> g.setRequestId(""), RejectionReason.EMPTY_FIELD).getDetail())
                .isEqualTo("requestId is empty; give it 1 to 200 characters");
        refused(g -> g.setProducer(""), RejectionReason.EMPTY_FIELD);
        refused(g -> g.getLane().setScope(""), RejectionReason.EMPTY_FIELD);
        assertThat(refused(g -> g.setRequestId("x".repeat(201)), RejectionReason.FIELD_TOO_LONG)
                        .getDetail())
                .isEqualTo("requestId has 201 characters, at most 200 are allowed; shorten it");
        refused(g -> g.getLane().setRevision("x".repeat(101)), RejectionReason.FIELD_TOO_LONG);
        assertThat(judge(generation(g -> g.setRequestId("x".repeat(200)))).isAdmitted())
                .isTrue();
    }

    @Test
    void lengthsAreLimited() {
        refused(g -> g.setResponse(List.of()), RejectionReason.EMPTY_RESPONSE);
        refused(g -> g.setResponse(List.of(1, 2, 3, 4, 5, 6)), RejectionReason.RESPONSE_TOO_LONG);
        refused(g -> g.setPrompt(List.of(1, 2, 3, 4, 5)), RejectionReason.PROMPT_TOO_LONG);
        assertThat(judge(generation(g -> g.setResponse(List.of(1, 2, 3, 4, 5)))).isAdmitted())
                .isTrue();
    }

    @Test
    void tokensLieWithinTheVocabularyAndNoDetailNamesOne() {
        String detail = refused(g -> g.setResponse(List.of(1, 1000)), RejectionReason.TOKEN_OUT_OF_VOCABULARY)
                .getDetail();
        assertThat(detail)
                .isEqualTo("response token 1 of 2 is not within the vocabulary of toy (0 to 999); is it the right"
                        + " tokenizer?");
        refused(g -> g.setResponse(List.of(-1)), RejectionReason.TOKEN_OUT_OF_VOCABULARY);
        refused(g -> g.setPrompt(List.of(4711)), RejectionReason.TOKEN_OUT_OF_VOCABULARY);
        assertThat(judge(generation(g -> g.setResponse(List.of(0, 999)))).isAdmitted())
                .isTrue();
    }

    @Test
    void onlyTheFleetsModelsAreAdmitted() {
        refused(g -> g.getLane().setModel("other"), RejectionReason.UNKNOWN_MODEL);
        Rejection rejection = refused(g -> g.getLane().setRevision("2"), RejectionReason.UNKNOWN_MODEL);
        assertThat(rejection.getDetail()).contains("toy@2");
        assertThat(rejection.getRequestId()).isEqualTo("request-1");
        assertThat(rejection.getLane().getScope()).isEqualTo("acme");
    }

    @Test
    void completionTimesLieAroundNow() {
        refused(g -> g.setCompletedAt(Instant.ofEpochMilli(NOW + 300_001)), RejectionReason.TIME_OUT_OF_RANGE);
        refused(g -> g.setCompletedAt(Instant.ofEpochMilli(NOW - 1_000_001)), RejectionReason.TIME_OUT_OF_RANGE);
        refused(g -> g.setCompletedAt(Instant.ofEpochMilli(Long.MIN_VALUE)), RejectionReason.TIME_OUT_OF_RANGE);
        refused(g -> g.setCompletedAt(Instant.ofEpochMilli(Long.MAX_VALUE)), RejectionReason.TIME_OUT_OF_RANGE);
        assertThat(judge(generation(g -> g.setCompletedAt(Instant.ofEpochMilli(NOW + 300_000))))
                        .admitted()
                        .completedAt())
                .as("a delete given from now on shall reach it")
                .isEqualTo(NOW);
        assertThat(judge(generation(g -> g.setCompletedAt(Instant.ofEpochMilli(NOW + 1_000))))
                        .admitted()
                        .completedAt())
                .as("as exact as clocks are")
                .isEqualTo(NOW + 1_000);
    }

    /** The brokers' clock says which of both is right. */
    @Test
    void aJobWhoseClockIsADayBehindAdmitsWhatIsNew() {
        long behind = NOW - 86_400_000;
        AdmissionRules rules = rules(List.of(), Set.of(), false);
        AdmissionRules.Verdict verdict =
                rules.judge(raw(generation(g -> g.setCompletedAt(Instant.ofEpochMilli(NOW)))), behind);
        assertThat(verdict.admitted().completedAt()).isEqualTo(NOW);
        assertThat(rules.judge(raw(generation(g -> g.setCompletedAt(Instant.ofEpochMilli(NOW + 300_001)))), behind)
                        .isAdmitted())
                .isFalse();
    }

    @Test
    void scopeRulesSayWhoMayWriteWhere() {
        AdmissionRules ruled = rules(
                List.of(
                        AdmissionOptions.ScopeRule.parse("gateway-*=acme,acme-*"),
                        AdmissionOptions.ScopeRule.parse("batch=*")),
                Set.of(),
                false);
        assertThat(ruled.judge(raw(generation(g -> {})), NOW).isAdmitted()).isTrue();
        assertThat(ruled.judge(raw(generation(g -> g.getLane().setScope("acme-shared"))), NOW)
                        .isAdmitted())
                .isTrue();
        assertThat(ruled.judge(raw(generation(g -> g.getLane().setScope("zenith"))), NOW)
                        .rejection()
                        .getReason())
                .isEqualTo(RejectionReason.SCOPE_NOT_ALLOWED);
        assertThat(ruled.judge(raw(generation(g -> g.setProducer("gateway.7"))), NOW)
                        .isAdmitted())
                .isFalse();
        assertThat(ruled.judge(raw(generation(g -> g.setProducer("batch"))), NOW)
                        .isAdmitted())
                .isTrue();
    }

    @Test
    void rejectedBytesAreKeptOnlyWhereAskedFor() {
        byte[] bytes = generation(g -> g.setResponse(List.of()));
        Rejection rejection =
                rules(List.of(), Set.of(), true).judge(raw(bytes), NOW).rejection();
        assertThat(rejection.getBytes().array()).isEqualTo(bytes);
    }
}
