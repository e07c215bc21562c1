package io.tailrace.operators.admission;

import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks {@link AdmissionRules} about generations without a job: every model is served, any topic may bring any scope, the limits are those that
 * the job has by default.
 */
public final class AdmissionCheck {
    private static final String TOPIC = Topic.GENERATIONS.name("");
    private static final String UNNAMED = "unnamed";

    private final int vocabularySize;

    /** @param vocabularySize token ids are below it */
    public AdmissionCheck(int vocabularySize) {
        this.vocabularySize = vocabularySize;
    }

    /** What the job would write to topic {@code rejections}; empty where it would admit the generation. */
    public Optional<Rejection> judge(Generation generation, Instant now) {
        long millis = now.toEpochMilli();
        return judge(new RawRecord(TOPIC, 0, 0, millis, RecordCodec.GENERATION.encode(generation)), millis);
    }

    /** The same of a record as it lies on a topic. */
    public Optional<Rejection> judge(RawRecord record, long nowMillis) {
        AdmissionRules rules = new AdmissionRules(new AdmissionOptions(
                new ModelCatalog(List.of(model(record))),
                AdmissionOptions.Limits.defaults(),
                List.of(),
                1,
                Set.of(),
                PromptTails.defaults(),
                PromptSignatures.defaults(),
                1,
                false,
                BoundTopics.only(record.topic())));
        return Optional.ofNullable(rules.judge(record, nowMillis).rejection());
    }

    /** The record's own; of one that names none, or that the rules cannot decode either, any. */
    private ModelCatalog.Model model(RawRecord record) {
        try {
            Lane lane = RecordCodec.GENERATION.decode(record.bytes()).getLane();
            boolean named = !lane.getModel().isBlank() && !lane.getRevision().isBlank();
            return named ? model(lane.getModel(), lane.getRevision()) : model(UNNAMED, UNNAMED);
        } catch (UndecodableRecordException e) {
            return model(UNNAMED, UNNAMED);
        }
    }

    private ModelCatalog.Model model(String model, String revision) {
        return new ModelCatalog.Model(model, revision, vocabularySize, "unknown");
    }
}
