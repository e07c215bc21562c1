package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The models that the fleet serves, each with one vocabulary and one tokenizer. */
public final class ModelCatalog implements Serializable {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, Model> models = new HashMap<>();

    public ModelCatalog(List<Model> specs) {
        require(!specs.isEmpty(), "at least one model must be given");
        for (Model spec : specs) {
            Model before = models.put(key(spec.model(), spec.revision()), spec);
            require(before == null, "model %s@%s is given twice", spec.model(), spec.revision());
        }
    }

    public Optional<Model> find(String model, String revision) {
        return Optional.ofNullable(models.get(key(model, revision)));
    }

    /** True if the lane's model is in the catalog. */
    public boolean serves(LaneId lane) {
        return find(lane.model(), lane.revision()).isPresent();
    }

    /**
     * What the segments of a lane belong to.
     *
     * @throws IllegalStateException if the lane's model is not in the catalog any more
     */
    public SegmentIdentity identity(String lane) {
        LaneId id = LaneId.parse(lane);
        return find(id.model(), id.revision())
                .orElseThrow(() -> new IllegalStateException(
                        "state holds lane %s, but its model is not among %s; start the job with that model too"
                                .formatted(lane, names())))
                .identity(lane);
    }

    /** The models as {@code name@revision}, sorted. */
    public Set<String> names() {
        return new TreeSet<>(models.keySet());
    }

    private static String key(String model, String revision) {
        return model + "@" + revision;
    }

    /**
     * A model that the fleet serves.
     *
     * @param vocabularySize token ids are below it
     * @param tokenizerFingerprint names the tokenizer, 1 to 64 characters
     */
    public record Model(String model, String revision, int vocabularySize, String tokenizerFingerprint)
            implements Serializable {
        public static final int FINGERPRINT_CHARS_MAX = 64;

        public Model {
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
}
