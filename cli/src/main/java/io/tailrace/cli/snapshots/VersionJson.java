package io.tailrace.cli.snapshots;

import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.EvaluationStatistics;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A version as programs read it: names and numbers, nothing rounded. */
final class VersionJson {
    private VersionJson() {}

    static Map<String, Object> of(SnapshotManifest manifest) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("version", manifest.getVersion());
        json.put("parentVersion", manifest.getParentVersion());
        json.put("createdAt", manifest.getCreatedAt().toString());
        json.put("cause", manifest.getCause().toString());
        json.put("documents", VersionText.documents(manifest));
        json.put("liveTokens", VersionText.liveTokens(manifest));
        json.put("segments", segments(manifest.getSegments()));
        json.put("policy", policy(manifest.getPolicy()));
        json.put("statistics", statistics(manifest.getStatistics()));
        json.put("evaluated", manifest.getEvaluation() == null ? null : evaluated(manifest.getEvaluation()));
        json.put("drift", manifest.getDrift() == null ? null : drift(manifest.getDrift()));
        return json;
    }

    private static List<Map<String, Object>> segments(List<SegmentReference> segments) {
        return segments.stream()
                .map(segment -> {
                    Map<String, Object> json = new LinkedHashMap<>();
                    json.put("role", segment.getRole().toString());
                    json.put("sha256", segment.getSha256());
                    json.put("documents", segment.getDocuments());
                    json.put("liveTokens", segment.getLiveTokens());
                    return json;
                })
                .toList();
    }

    private static Map<String, Object> policy(Policy policy) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("number", policy.getNumber());
        json.put("enabled", policy.getEnabled());
        json.put("budgetMax", policy.getBudgetMax());
        json.put("probabilityFloor", policy.getProbabilityFloor());
        json.put("weightsLayout", policy.getWeightsLayout());
        json.put("weights", policy.getWeights());
        json.put("evidence", policy.getEvidence());
        json.put("learnedAt", policy.getLearnedAt().toString());
        json.put("costPoints", policy.getCostCurve().size());
        return json;
    }

    private static Map<String, Object> statistics(LaneStatistics statistics) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("requests", statistics.getRequests());
        json.put("steps", statistics.getSteps());
        json.put("accepted", statistics.getAccepted());
        return json;
    }

    private static Map<String, Object> evaluated(EvaluationStatistics evaluated) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("generations", evaluated.getGenerations());
        json.put("steps", evaluated.getSteps());
        json.put("accepted", evaluated.getAccepted());
        Map<String, Object> choices = new LinkedHashMap<>();
        evaluated.getCounterfactuals().forEach(counted -> choices.put(counted.getChoice(), counterfactual(counted)));
        json.put("choices", choices);
        return json;
    }

    private static Map<String, Object> counterfactual(EvaluatedChoice counted) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("steps", counted.getSteps());
        json.put("accepted", counted.getAccepted());
        json.put("generations", counted.getGenerations());
        json.put("liveSteps", counted.getLiveSteps());
        json.put("liveAccepted", counted.getLiveAccepted());
        return json;
    }

    private static Map<String, Object> drift(DriftStanding drift) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("alarm", drift.getAlarm());
        json.put("alarms", drift.getAlarms());
        json.put("noveltyBits", drift.getNovelty());
        json.put("logLossNats", drift.getLogLoss());
        return json;
    }
}
