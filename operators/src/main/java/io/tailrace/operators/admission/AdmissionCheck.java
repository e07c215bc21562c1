package io.tailrace.operators.admission;

import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.Topic;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Asks {@link AdmissionRules} about generations that nobody has sent yet: one model, the limits that the job has by default, any scope. */
public final class AdmissionCheck {
    private static final String TOPIC = Topic.GENERATIONS.name("");

    private final AdmissionRules rules;

    /** @param vocabularySize token ids are below it */
    public AdmissionCheck(String model, String revision, int vocabularySize) {
        this.rules = new AdmissionRules(new AdmissionOptions(
                new ModelCatalog(List.of(new ModelCatalog.Model(model, revision, vocabularySize, "unknown"))),
                AdmissionOptions.Limits.defaults(),
                List.of(),
                1,
                Set.of(),
                PromptTails.defaults(),
                PromptSignatures.defaults(),
                1,
                false));
    }

    /** What the job would write to topic {@code rejections}; empty where it would admit the generation. */
    public Optional<Rejection> judge(Generation generation, Instant now) {
        byte[] bytes = RecordCodec.GENERATION.encode(generation);
        long millis = now.toEpochMilli();
        return Optional.ofNullable(
                rules.judge(new RawRecord(TOPIC, 0, 0, millis, bytes), millis).rejection());
    }
}
