package io.tailrace.jobs.options;

import io.tailrace.operators.admission.AdmissionLimits;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.admission.ModelSpec;
import io.tailrace.operators.admission.ScopeRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What may enter the index. */
@Command(optionListHeading = "What may enter")
public final class AdmissionArguments {
    @Option(
            names = "--model",
            required = true,
            converter = ModelConverter.class,
            paramLabel = ModelConverter.FORM,
            description = "A model of the fleet; generations of others are rejected. Repeatable.")
    List<ModelSpec> models = new ArrayList<>();

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
    List<ScopeRule> scopeRules = new ArrayList<>();

    @Option(
            names = "--index-prompts",
            paramLabel = "SCOPE",
            description = "A scope whose prompts are indexed before their responses. Repeatable. Default: none.")
    List<String> promptScopes = new ArrayList<>();

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

    public AdmissionOptions toOptions() {
        AdmissionLimits limits = new AdmissionLimits(
                responseTokensMax, promptTokensMax, AdmissionLimits.defaults().futureMillisMax(), lateMillisMax());
        return new AdmissionOptions(
                toCatalog(), limits, scopeRules, shards, Set.copyOf(promptScopes), lanesMax, keepRejectedBytes);
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
}
