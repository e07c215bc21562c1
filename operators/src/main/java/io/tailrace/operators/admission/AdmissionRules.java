package io.tailrace.operators.admission;

import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether a record of topic generations enters the index. The first broken rule is the reason; what it says names
 * the rule, the value and what to do, and never a token.
 */
public final class AdmissionRules implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Why a record may be refused here; for quotas and places of lanes it is elsewhere. */
    static final Set<RejectionReason> REASONS = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(
            RejectionReason.UNKNOWN,
            RejectionReason.QUOTA_EXCEEDED,
            RejectionReason.PRODUCER_QUOTA_EXCEEDED,
            RejectionReason.LANES_EXCEEDED)));

    private final AdmissionOptions options;

    public AdmissionRules(AdmissionOptions options) {
        this.options = options;
    }

    /** Most bytes of a record that a rejection carries; the rest of the topic's limit is for what else it says. */
    private static final int REJECTED_BYTES_MAX = Topic.RECORD_BYTES_MAX - (64 << 10);

    /** A broken rule, on its way to becoming a rejection. */
    private static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        private final RejectionReason reason;

        private Broken(RejectionReason reason, String detail) {
            super(detail, null, false, false);
            this.reason = reason;
        }
    }

    Verdict judge(RawRecord raw, long nowMillis) {
        Generation generation = null;
        try {
            checkSize(raw);
            generation = decode(raw);
            return admit(generation, raw, nowMillis);
        } catch (Broken broken) {
            return Verdict.reject(rejection(broken, generation, raw, nowMillis));
        }
    }

    private static void checkSize(RawRecord raw) throws Broken {
        int bytes = raw.bytes().length;
        if (bytes > Topic.RECORD_BYTES_MAX) {
            throw new Broken(
                    RejectionReason.RECORD_TOO_LARGE,
                    "record has %d bytes, at most %d are allowed; split the generation"
                            .formatted(bytes, Topic.RECORD_BYTES_MAX));
        }
    }

    private static Generation decode(RawRecord raw) throws Broken {
        try {
            return RecordCodec.GENERATION.decode(raw.bytes());
        } catch (UndecodableRecordException e) {
            RejectionReason reason = e.kind() == UndecodableRecordException.Kind.UNKNOWN_SCHEMA
                    ? RejectionReason.UNKNOWN_SCHEMA
                    : RejectionReason.UNDECODABLE;
            throw new Broken(reason, e.getMessage());
        }
    }

    /** Full names of the topics that generations come from. */
    List<String> topics() {
        return options.topics().names();
    }

    private Verdict admit(Generation generation, RawRecord raw, long nowMillis) throws Broken {
        checkNames(generation);
        ModelCatalog.Model model = model(generation.getLane());
        checkScope(generation, raw.topic());
        checkTime(generation, raw, nowMillis);
        checkLengths(generation);
        int[] response = TokenIds.toArray(generation.getResponse());
        int[] prompt = generation.getPrompt() == null ? new int[0] : TokenIds.toArray(generation.getPrompt());
        checkTokens("response", response, model);
        checkTokens("prompt", prompt, model);
        String scope = generation.getLane().getScope();
        boolean withPrompt = options.promptScopes().contains(scope);
        PromptSignature signature =
                withPrompt ? PromptSignature.NONE : options.promptSignatures().of(prompt, scope);
        RequestHash hash = RequestHash.of(generation.getRequestId());
        AdmittedGeneration admitted = new AdmittedGeneration(
                LaneId.of(generation.getLane()).toString(),
                hash.shard(options.shards()),
                hash.high(),
                hash.low(),
                generation.getProducer(),
                completedAt(generation, raw, nowMillis),
                arrivedAt(raw, nowMillis),
                RememberedAnswer.tail(
                        prompt, withPrompt ? 0 : options.promptTails().tokens(scope)),
                signature.bytes(),
                signature.size() == 0
                        ? new byte[0]
                        : RememberedAnswer.copied(prompt, response).toByteArray(),
                withPrompt ? join(prompt, response) : response,
                options.topics().place(raw.topic(), raw.partition()),
                raw.offset());
        return Verdict.admit(admitted, prompt, response);
    }

    private static void checkNames(Generation generation) throws Broken {
        Lane lane = generation.getLane();
        checkName("requestId", generation.getRequestId(), AdmissionOptions.Limits.NAME_CHARS_MAX);
        checkName("producer", generation.getProducer(), AdmissionOptions.Limits.NAME_CHARS_MAX);
        checkName("model", lane.getModel(), LaneId.MODEL_CHARS_MAX);
        checkName("revision", lane.getRevision(), LaneId.REVISION_CHARS_MAX);
        checkName("scope", lane.getScope(), LaneId.SCOPE_CHARS_MAX);
        if (!LaneId.of(lane).isStorable()) {
            throw new Broken(
                    RejectionReason.FIELD_TOO_LONG,
                    "model@revision and scope may take %d bytes each when URL-encoded; shorten them, or use letters and digits"
                            .formatted(LaneId.FOLDER_BYTES_MAX));
        }
    }

    private static void checkName(String field, String value, int charsMax) throws Broken {
        if (value.isEmpty()) {
            throw new Broken(
                    RejectionReason.EMPTY_FIELD, "%s is empty; give it 1 to %d characters".formatted(field, charsMax));
        }
        if (value.length() > charsMax) {
            throw new Broken(
                    RejectionReason.FIELD_TOO_LONG,
                    "%s has %d characters, at most %d are allowed; shorten it"
                            .formatted(field, value.length(), charsMax));
        }
    }

    private ModelCatalog.Model model(Lane lane) throws Broken {
        return options.models()
                .find(lane.getModel(), lane.getRevision())
                .orElseThrow(() -> new Broken(
                        RejectionReason.UNKNOWN_MODEL,
                        "model %s@%s is not served by this fleet; start the job with it, or correct the producer"
                                .formatted(lane.getModel(), lane.getRevision())));
    }

    private void checkScope(Generation generation, String topic) throws Broken {
        String producer = generation.getProducer();
        String scope = generation.getLane().getScope();
        if (!options.topics().allows(topic, scope)) {
            throw new Broken(
                    RejectionReason.SCOPE_NOT_ALLOWED,
                    "topic %s may not bring scope %s; send it to the topic that is bound to it, or change --bound-topics of the job"
                            .formatted(topic, scope));
        }
        boolean allowed = options.scopeRules().isEmpty()
                || options.scopeRules().stream().anyMatch(rule -> rule.allows(producer, scope));
        if (!allowed) {
            throw new Broken(
                    RejectionReason.SCOPE_NOT_ALLOWED,
                    "producer %s may not write into scope %s; add a scope rule to the job or correct the producer"
                            .formatted(producer, scope));
        }
    }

    private void checkTime(Generation generation, RawRecord raw, long nowMillis) throws Broken {
        long completedAt = generation.getCompletedAt().toEpochMilli();
        AdmissionOptions.Limits limits = options.limits();
        if (completedAt > latest(raw, nowMillis) + limits.futureMillisMax()) {
            throw new Broken(
                    RejectionReason.TIME_OUT_OF_RANGE,
                    "completedAt %d lies more than %d ms ahead of the job's and the brokers' clock %d; set the producer's clock"
                            .formatted(completedAt, limits.futureMillisMax(), latest(raw, nowMillis)));
        }
        if (completedAt < nowMillis - limits.ageMillisMax()) {
            throw new Broken(
                    RejectionReason.TIME_OUT_OF_RANGE,
                    "completedAt %d lies more than %d ms behind the job's clock %d; send generations when they finish"
                            .formatted(completedAt, limits.ageMillisMax(), nowMillis));
        }
    }

    /** What was completed later than now by its producer's clock was completed now at the latest: a delete that comes next shall reach it. */
    private static long completedAt(Generation generation, RawRecord raw, long nowMillis) {
        long completedAt = generation.getCompletedAt().toEpochMilli();
        long latest = latest(raw, nowMillis);
        return completedAt > latest + AdmissionOptions.Limits.CLOCK_SKEW_MILLIS ? latest : completedAt;
    }

    /** One clock that is behind, the brokers' or the job's, puts no producer in the wrong. */
    private static long latest(RawRecord raw, long nowMillis) {
        return Math.max(raw.timestampMillis(), nowMillis);
    }

    /** One clock that is ahead, the brokers' or the job's, hurries nothing that is measured by it. */
    private static long arrivedAt(RawRecord raw, long nowMillis) {
        boolean timed = raw.timestampMillis() >= 0;
        return timed ? Math.min(raw.timestampMillis(), nowMillis) : nowMillis;
    }

    private void checkLengths(Generation generation) throws Broken {
        AdmissionOptions.Limits limits = options.limits();
        int responseTokens = generation.getResponse().size();
        int promptTokens =
                generation.getPrompt() == null ? 0 : generation.getPrompt().size();
        if (responseTokens == 0) {
            throw new Broken(RejectionReason.EMPTY_RESPONSE, "response has no tokens; send finished generations only");
        }
        if (responseTokens > limits.responseTokensMax()) {
            throw new Broken(
                    RejectionReason.RESPONSE_TOO_LONG, tooLong("response", responseTokens, limits.responseTokensMax()));
        }
        if (promptTokens > limits.promptTokensMax()) {
            throw new Broken(
                    RejectionReason.PROMPT_TOO_LONG, tooLong("prompt", promptTokens, limits.promptTokensMax()));
        }
    }

    private static String tooLong(String field, int tokens, int tokensMax) {
        return "%s has %d tokens, at most %d are allowed; leave it out or raise the job's limit"
                .formatted(field, tokens, tokensMax);
    }

    private static void checkTokens(String field, int[] tokens, ModelCatalog.Model model) throws Broken {
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] < 0 || tokens[i] >= model.vocabularySize()) {
                throw new Broken(
                        RejectionReason.TOKEN_OUT_OF_VOCABULARY,
                        "%s token %d of %d is not within the vocabulary of %s (0 to %d); is it the right tokenizer?"
                                .formatted(field, i, tokens.length, model.model(), model.vocabularySize() - 1));
            }
        }
    }

    private static int[] join(int[] prompt, int[] response) {
        int[] joined = Arrays.copyOf(prompt, prompt.length + response.length);
        System.arraycopy(response, 0, joined, prompt.length, response.length);
        return joined;
    }

    /** Smaller than its topic takes, whatever was sent: names only within their limits, bytes only where there is room. */
    private Rejection rejection(Broken broken, Generation decoded, RawRecord raw, long nowMillis) {
        boolean named = decoded != null && decoded.getRequestId().length() <= AdmissionOptions.Limits.NAME_CHARS_MAX;
        boolean placed = decoded != null && isShort(decoded.getLane());
        boolean kept = options.keepBytes() && raw.bytes().length <= REJECTED_BYTES_MAX;
        return new Rejection(
                broken.reason,
                broken.getMessage(),
                raw.topic(),
                raw.partition(),
                raw.offset(),
                named ? decoded.getRequestId() : null,
                placed ? decoded.getLane() : null,
                kept ? ByteBuffer.wrap(raw.bytes()) : null,
                Instant.ofEpochMilli(nowMillis));
    }

    private static boolean isShort(Lane lane) {
        return lane.getModel().length() <= LaneId.MODEL_CHARS_MAX
                && lane.getRevision().length() <= LaneId.REVISION_CHARS_MAX
                && lane.getScope().length() <= LaneId.SCOPE_CHARS_MAX;
    }

    /**
     * What admission says of one record: admitted or rejected, exactly one of the two.
     *
     * @param prompt of what is admitted; none where it is not known
     * @param response of what is admitted
     */
    record Verdict(AdmittedGeneration admitted, int[] prompt, int[] response, Rejection rejection) {
        static Verdict admit(AdmittedGeneration generation, int[] prompt, int[] response) {
            return new Verdict(generation, prompt, response, null);
        }

        static Verdict reject(Rejection rejection) {
            return new Verdict(null, null, null, rejection);
        }

        boolean isAdmitted() {
            return admitted != null;
        }
    }
}
