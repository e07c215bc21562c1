package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.Serializable;

/**
 * A model that the fleet serves.
 *
 * @param vocabularySize token ids are below it
 * @param tokenizerFingerprint names the tokenizer, 1 to 64 characters
 */
public record ModelSpec(String model, String revision, int vocabularySize, String tokenizerFingerprint)
        implements Serializable {
    public static final int FINGERPRINT_CHARS_MAX = 64;

    public ModelSpec {
        require(!model.isBlank(), "model must not be blank");
        require(!revision.isBlank(), "revision of model %s must not be blank", model);
        require(vocabularySize > 0, "vocabulary of %s must be > 0, got %d", model, vocabularySize);
        int chars = tokenizerFingerprint.length();
        require(
                chars >= 1 && chars <= FINGERPRINT_CHARS_MAX,
                "tokenizer fingerprint of %s must have 1 to %d characters, got %d",
                model,
                FINGERPRINT_CHARS_MAX,
                chars);
    }

    public SegmentIdentity identity(String lane) {
        return new SegmentIdentity(lane, vocabularySize, tokenizerFingerprint);
    }
}
