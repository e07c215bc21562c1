package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.schemas.Topic;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What admission goes by.
 *
 * @param scopeRules who may write where; empty: every producer into every scope
 * @param shards slices of each lane's stream; frozen once a lane has state
 * @param promptScopes scopes that opted into indexing their prompts
 * @param promptTails how much of prompts all others keep
 * @param promptSignatures where signatures of prompts are kept
 * @param lanesMax lanes that the job may have, of all models together
 * @param keepBytes true: rejections carry the record itself, which is user data
 * @param topics which scopes come from which topic
 */
public record AdmissionOptions(
        ModelCatalog models,
        Limits limits,
        List<ScopeRule> scopeRules,
        int shards,
        Set<String> promptScopes,
        PromptTails promptTails,
        PromptSignatures promptSignatures,
        int lanesMax,
        boolean keepBytes,
        BoundTopics topics)
        implements Serializable {
    public static final int SHARDS_MAX = 1024;
    /** Every task of admission holds the names of all lanes. */
    public static final int LANES_MAX = 100_000;

    public AdmissionOptions {
        require(shards >= 1 && shards <= SHARDS_MAX, "shards must be 1 to %d, got %d", SHARDS_MAX, shards);
        require(lanesMax >= 1 && lanesMax <= LANES_MAX, "lanesMax must be 1 to %d, got %d", LANES_MAX, lanesMax);
        scopeRules = List.copyOf(scopeRules);
        promptScopes = Set.copyOf(promptScopes);
    }

    /** Every scope comes from topic generations. */
    public AdmissionOptions(
            ModelCatalog models,
            Limits limits,
            List<ScopeRule> scopeRules,
            int shards,
            Set<String> promptScopes,
            PromptTails promptTails,
            PromptSignatures promptSignatures,
            int lanesMax,
            boolean keepBytes) {
        this(
                models,
                limits,
                scopeRules,
                shards,
                promptScopes,
                promptTails,
                promptSignatures,
                lanesMax,
                keepBytes,
                BoundTopics.only(Topic.GENERATIONS.name("")));
    }

    /**
     * What a generation may measure.
     *
     * @param responseTokensMax longest response, in tokens
     * @param promptTokensMax longest prompt, in tokens
     * @param futureMillisMax how far a completion time may lie ahead of the job's clock
     * @param ageMillisMax how far it may lie behind
     */
    public record Limits(int responseTokensMax, int promptTokensMax, long futureMillisMax, long ageMillisMax)
            implements Serializable {
        /** Longest request id, and name of a producer, a worker or a class of workers, in characters. */
        public static final int NAME_CHARS_MAX = 200;
        /** How far a producer's clock may be ahead of the job's. */
        public static final long FUTURE_MILLIS_MAX = Duration.ofMinutes(5).toMillis();
        /** Clocks that are no further ahead are taken to be right: what they say is kept to the millisecond. */
        static final long CLOCK_SKEW_MILLIS = 1_000;

        public Limits {
            require(responseTokensMax > 0, "responseTokensMax must be > 0, got %d", responseTokensMax);
            require(promptTokensMax > 0, "promptTokensMax must be > 0, got %d", promptTokensMax);
            require(futureMillisMax >= 0, "futureMillisMax must be >= 0, got %d", futureMillisMax);
            require(ageMillisMax > 0, "ageMillisMax must be > 0, got %d", ageMillisMax);
        }

        /**
         * Refuses a name over its limit.
         *
         * @throws IllegalArgumentException if it has more than {@link #NAME_CHARS_MAX} characters
         */
        public static void checkName(String field, String name) {
            require(
                    name.length() <= NAME_CHARS_MAX,
                    "%s has %d characters, at most %d are allowed",
                    field,
                    name.length(),
                    NAME_CHARS_MAX);
        }

        /** 131,072 response tokens, 1,048,576 prompt tokens, five minutes ahead, seven days behind. */
        public static Limits defaults() {
            return new Limits(
                    1 << 17, 1 << 20, FUTURE_MILLIS_MAX, Duration.ofDays(7).toMillis());
        }
    }

    /**
     * Which producers may write into which scopes. Both sides are names in which {@code *} stands for any characters.
     *
     * @param producers pattern of the producers it speaks of
     * @param scopes patterns of the scopes they may write into
     */
    public record ScopeRule(Pattern producers, List<Pattern> scopes) implements Serializable {
        public ScopeRule {
            require(!scopes.isEmpty(), "a scope rule must allow at least one scope");
            scopes = List.copyOf(scopes);
        }

        /** Reads {@code producer=scope,scope}, e.g. {@code gateway-eu-*=acme,acme-shared}. */
        public static ScopeRule parse(String text) {
            int equals = text.indexOf('=');
            require(
                    equals > 0 && equals < text.length() - 1,
                    "a scope rule reads PRODUCER=SCOPE[,SCOPE...], got '%s'",
                    text);
            List<Pattern> scopes = Arrays.stream(text.substring(equals + 1).split(",", -1))
                    .map(ScopeRule::glob)
                    .collect(Collectors.toList());
            return new ScopeRule(glob(text.substring(0, equals)), scopes);
        }

        boolean allows(String producer, String scope) {
            return producers.matcher(producer).matches()
                    && scopes.stream()
                            .anyMatch(pattern -> pattern.matcher(scope).matches());
        }

        static Pattern glob(String text) {
            String regex = Arrays.stream(text.strip().split("\\*", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*"));
            return Pattern.compile(regex, Pattern.DOTALL);
        }
    }
}
