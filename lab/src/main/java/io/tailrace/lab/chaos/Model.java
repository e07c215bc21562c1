package io.tailrace.lab.chaos;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.traffic.SyntheticTraffic;

/** The model that all answers of a run pretend to come from. */
final class Model {
    static final ServedModel SERVED =
            new ServedModel(SyntheticTraffic.MODEL, "1", SyntheticTraffic.VOCABULARY_SIZE, "synthetic-words");

    private Model() {}

    /** As the job's option takes it. */
    static String argument() {
        return "%s@%s,vocabulary=%d,tokenizer=%s"
                .formatted(SERVED.model(), SERVED.revision(), SERVED.vocabularySize(), SERVED.tokenizerFingerprint());
    }
}
