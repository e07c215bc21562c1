package io.tailrace.jobs.options;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import io.tailrace.terminal.Bounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What may enter the index. */
@Command(optionListHeading = "What may enter")
public final class AdmissionArguments {
    @Option(
            names = "--model",
            required = true,
            converter = ModelConverter.class,
            paramLabel = ModelConverter.FORM,
            description = "A model of the fleet; generations of others are rejected. Repeatable.")
    List<ModelCatalog.Model> models = new ArrayList<>();

    @Bounds(min = 1, max = 1024)
    @Option(
            names = "--shards",
            defaultValue = "8",
            paramLabel = "N",
            description = "Slices of each lane's stream, well above the parallelism; frozen once the job has state. "
                    + "Default: ${DEFAULT-VALUE}.")
    int shards;

    @Bounds(min = 1, max = 100_000)
    @Option(
            names = "--lanes-max",
            hidden = true,
            defaultValue = "1000",
            paramLabel = "N",
            description =
                    "Lanes that the job may have, of all models together; generations of further ones are rejected. "
                            + "Default: ${DEFAULT-VALUE}.")
    int lanesMax;

    @Option(
            names = "--scope-rule",
            converter = ScopeRuleConverter.class,
            paramLabel = "PRODUCER=SCOPE[,SCOPE...]",
            description = "Which producers may write into which scopes; * stands for any characters. Repeatable. "
                    + "Default: every producer into every scope.")
    List<AdmissionOptions.ScopeRule> scopeRules = new ArrayList<>();

    @Option(
            names = "--index-prompts",
            paramLabel = "SCOPE",
            description = "A scope whose prompts are indexed before their responses. Repeatable. Default: none.")
    List<String> promptScopes = new ArrayList<>();

    @Option(
            names = "--prompt-tail",
            converter = PromptTailConverter.class,
            paramLabel = "[SCOPE=]TOKENS",
            description = "How many of a prompt's last tokens are kept before its response, for matching only, 0 to 32:"
                    + " in every scope, or in one. Repeatable. Default: 3.")
    List<String> promptTails = new ArrayList<>();

    @Option(
            names = "--prompt-signature",
            converter = PromptSignatureConverter.class,
            paramLabel = "[SCOPE=]on|off",
            description = "Whether hashes of a prompt's tokens are kept with its response, to find requests like it:"
                    + " in every scope, or in one. Repeatable. Default: on.")
    List<String> promptSignatures = new ArrayList<>();

    @Bounds(min = 1)
    @Option(
            names = "--response-tokens-max",
            hidden = true,
            defaultValue = "131072",
            paramLabel = "N",
            description = "Longest response admitted. Default: ${DEFAULT-VALUE}.")
    int responseTokensMax;

    @Bounds(min = 1)
    @Option(
            names = "--prompt-tokens-max",
            hidden = true,
            defaultValue = "1048576",
            paramLabel = "N",
            description = "Longest prompt admitted. Default: ${DEFAULT-VALUE}.")
    int promptTokensMax;

    @Bounds(min = 1)
    @Option(
            names = "--late-hours-max",
            hidden = true,
            defaultValue = "168",
            paramLabel = "HOURS",
            description = "Generations completed longer ago are rejected. Default: ${DEFAULT-VALUE}.")
    int lateHoursMax;

    @Option(
            names = "--keep-rejected-bytes",
            hidden = true,
            description = "Put rejected records themselves into topic rejections; they are user data. Default: off.")
    boolean keepRejectedBytes;

    /** @param topics which scopes come from which topic */
    AdmissionOptions toOptions(BoundTopics topics) {
        AdmissionOptions.Limits limits = new AdmissionOptions.Limits(
                responseTokensMax,
                promptTokensMax,
                AdmissionOptions.Limits.defaults().futureMillisMax(),
                lateMillisMax());
        return new AdmissionOptions(
                toCatalog(),
                limits,
                scopeRules,
                shards,
                Set.copyOf(promptScopes),
                PromptTails.parse(promptTails),
                PromptSignatures.parse(promptSignatures),
                lanesMax,
                keepRejectedBytes,
                topics);
    }

    public ModelCatalog toCatalog() {
        return new ModelCatalog(models);
    }

    long lateMillisMax() {
        return Duration.ofHours(lateHoursMax).toMillis();
    }

    public int shards() {
        return shards;
    }

    /** Reads {@code PRODUCER=SCOPE[,SCOPE...]}. */
    static final class ScopeRuleConverter implements ITypeConverter<AdmissionOptions.ScopeRule> {
        @Override
        public AdmissionOptions.ScopeRule convert(String text) {
            try {
                return AdmissionOptions.ScopeRule.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Checks {@code [SCOPE=]TOKENS}. */
    static final class PromptTailConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            try {
                PromptTails.parse(List.of(text));
                return text;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Checks {@code [SCOPE=]on|off}. */
    static final class PromptSignatureConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            try {
                PromptSignatures.parse(List.of(text));
                return text;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Reads {@code NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT}. */
    public static final class ModelConverter implements ITypeConverter<ModelCatalog.Model> {
        public static final String FORM = "NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT";

        @Override
        public ModelCatalog.Model convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'%s' is no model (%s): %s".formatted(text, FORM, e.getMessage()));
            }
        }

        private static ModelCatalog.Model parse(String text) {
            String[] parts = text.split(",", -1);
            int at = parts[0].lastIndexOf('@');
            require(at > 0, "name and revision are separated by @");
            Integer vocabulary = null;
            String tokenizer = null;
            for (int i = 1; i < parts.length; i++) {
                if (parts[i].startsWith("vocabulary=")) {
                    vocabulary = number(parts[i].substring("vocabulary=".length()));
                } else if (parts[i].startsWith("tokenizer=")) {
                    tokenizer = parts[i].substring("tokenizer=".length());
                } else {
                    throw new IllegalArgumentException("'" + parts[i] + "' is neither vocabulary= nor tokenizer=");
                }
            }
            require(vocabulary != null, "vocabulary= is missing");
            require(tokenizer != null, "tokenizer= is missing");
            return new ModelCatalog.Model(parts[0].substring(0, at), parts[0].substring(at + 1), vocabulary, tokenizer);
        }

        private static int number(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("vocabulary must be a whole number, got '" + text + "'", e);
            }
        }
    }
}
