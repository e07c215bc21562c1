package io.tailrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BoundTopicsTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final String EVERYBODYS = "p-generations";

    private final BoundTopics topics = topics("gateway=acme,acme-*", "zenith=zenith");

    private static BoundTopics topics(String... bound) {
        return new BoundTopics(
                EVERYBODYS,
                List.of(bound).stream()
                        .map(text -> BoundTopics.Bound.parse(text, EVERYBODYS))
                        .toList());
    }

    @Test
    void aBoundTopicBringsItsScopesAndNoOthersAndTheyComeFromNoOther() {
        assertThat(topics.names()).containsExactly("p-generations", "p-generations-gateway", "p-generations-zenith");
        assertThat(topics.allows("p-generations-gateway", "acme")).isTrue();
        assertThat(topics.allows("p-generations-gateway", "acme-eu")).isTrue();
        assertThat(topics.allows("p-generations-gateway", "zenith")).isFalse();
        assertThat(topics.allows("p-generations-gateway", "another")).isFalse();
        assertThat(topics.allows("p-generations-zenith", "acme")).isFalse();
        assertThat(topics.allows(EVERYBODYS, "another")).isTrue();
        assertThat(topics.allows(EVERYBODYS, "acme")).isFalse();
        assertThat(topics.allows(EVERYBODYS, "acme-eu")).isFalse();
        assertThat(topics.allows("p-generations-unknown", "another")).isFalse();
        for (String lineBreak : List.of("\n", "\r", "\u0085", "\u2028")) {
            assertThat(topics.allows(EVERYBODYS, "acme-" + lineBreak + "x")).isFalse();
            assertThat(topics.allows("p-generations-gateway", "acme-" + lineBreak))
                    .isTrue();
        }
        assertThat(BoundTopics.only("generations").allows("generations", "acme"))
                .isTrue();
    }

    @Test
    void aScopeFromAnotherTopicIsRejectedWithAReasonThatNamesBoth() {
        AdmissionRules rules = new AdmissionRules(new AdmissionOptions(
                Samples.MODELS,
                AdmissionOptions.Limits.defaults(),
                List.of(),
                8,
                Set.of(),
                PromptTails.defaults(),
                PromptSignatures.defaults(),
                10,
                false,
                topics));
        assertThat(rules.judge(record("p-generations-gateway", "acme"), NOW).isAdmitted())
                .isTrue();
        for (String topic : List.of(EVERYBODYS, "p-generations-zenith")) {
            AdmissionRules.Verdict verdict = rules.judge(record(topic, "acme"), NOW);
            assertThat(verdict.isAdmitted()).as(topic).isFalse();
            assertThat(verdict.rejection().getReason()).isEqualTo(RejectionReason.SCOPE_NOT_ALLOWED);
            assertThat(verdict.rejection().getTopic()).isEqualTo(topic);
            assertThat(verdict.rejection().getPartition()).isEqualTo(3);
            assertThat(verdict.rejection().getDetail())
                    .contains("topic " + topic + " may not bring scope acme")
                    .contains("--bound-topics");
        }
    }

    private static RawRecord record(String topic, String scope) {
        Generation generation = Generation.newBuilder()
                .setRequestId("request-1")
                .setLane(new Lane("toy", "1", scope))
                .setProducer("gateway-7")
                .setResponse(TokenIds.toList(new int[] {1, 2, 3}))
                .setStartedAt(Instant.ofEpochMilli(NOW))
                .setCompletedAt(Instant.ofEpochMilli(NOW))
                .build();
        return new RawRecord(topic, 3, 17, NOW, RecordCodec.GENERATION.encode(generation));
    }

    /** A record of another topic at the same offset must not be taken for one that a version holds. */
    @Test
    void aPlaceTellsTopicAndPartitionWhateverTopicsThereAre() {
        assertThat(topics.place(EVERYBODYS, 7)).isEqualTo(7);
        int place = topics.place("p-generations-zenith", 7);
        assertThat(place).isNotIn(7, topics.place("p-generations-gateway", 7));
        assertThat(topics.topic(place)).isEqualTo("p-generations-zenith");
        assertThat(BoundTopics.partition(place)).isEqualTo(7);
        assertThat(topics("zenith=zenith", "other=other").place("p-generations-zenith", 7))
                .isEqualTo(place);
        assertThat(topics.topic(7)).isEqualTo(EVERYBODYS);
        assertThat(BoundTopics.place(EVERYBODYS, "p-generations-zenith", 7)).isEqualTo(place);
        assertThat(BoundTopics.place(EVERYBODYS, EVERYBODYS, 7)).isEqualTo(7);
    }

    @Test
    void whatIsNoBoundTopicIsRefused() {
        for (String wrong : List.of("acme", "=acme", "acme=", "a/b=acme", "a b=acme")) {
            assertThatThrownBy(() -> topics(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> topics("acme=acme", "acme=other")).hasMessageContaining("p-generations-acme");
    }
}
