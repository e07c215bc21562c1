package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;
import java.util.List;
import java.util.Set;

/**
 * What admission goes by.
 *
 * @param scopeRules who may write where; empty: every producer into every scope
 * @param shards slices of each lane's stream; frozen once a lane has state
 * @param promptScopes scopes that opted into indexing their prompts
 * @param lanesMax lanes that the job may have, of all models together
 * @param keepBytes true: rejections carry the record itself, which is user data
 */
public record AdmissionOptions(
        ModelCatalog models,
        AdmissionLimits limits,
        List<ScopeRule> scopeRules,
        int shards,
        Set<String> promptScopes,
        int lanesMax,
        boolean keepBytes)
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
}
