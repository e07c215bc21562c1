package io.tailrace.cli.snapshots;

import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.EvaluationStatistics;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** A version as people read it; {@link VersionJson} is for programs. */
public final class VersionText {
    private VersionText() {}

    /** Tokens that the version holds. */
    public static long liveTokens(SnapshotManifest manifest) {
        return manifest.getSegments().stream()
                .mapToLong(SegmentReference::getLiveTokens)
                .sum();
    }

    /** Distinct answers that the version holds. */
    public static long documents(SnapshotManifest manifest) {
        return manifest.getSegments().stream()
                .mapToLong(SegmentReference::getDocuments)
                .sum();
    }

    /** All of it but the weights themselves, in one order. */
    public static Map<String, Object> fields(SnapshotManifest manifest) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", manifest.getVersion());
        fields.put("parent", manifest.getParentVersion());
        fields.put("created", manifest.getCreatedAt().toString());
        fields.put("cause", manifest.getCause().toString());
        fields.put("segments", manifest.getSegments().size());
        fields.put("documents", documents(manifest));
        fields.put("live tokens", liveTokens(manifest));
        List<SegmentReference> segments = manifest.getSegments();
        for (int i = 0; i < segments.size(); i++) {
            SegmentReference segment = segments.get(i);
            fields.put(
                    "segment " + (i + 1),
                    "%s %s, %d documents, %d tokens"
                            .formatted(
                                    segment.getRole().toString().toLowerCase(java.util.Locale.ROOT),
                                    segment.getSha256().substring(0, 12),
                                    segment.getDocuments(),
                                    segment.getLiveTokens()));
        }
        policy(manifest.getPolicy(), fields);
        LaneStatistics statistics = manifest.getStatistics();
        fields.put("requests", statistics.getRequests());
        fields.put("accepted/step", ratio(statistics.getAccepted(), statistics.getSteps()));
        if (manifest.getEvaluation() != null) {
            evaluated(manifest.getEvaluation(), fields);
        }
        if (manifest.getDrift() != null) {
            fields.put("drift alarm", manifest.getDrift().getAlarm());
            fields.put("drift alarms", manifest.getDrift().getAlarms());
            fields.put("novelty bits", round(manifest.getDrift().getNovelty()));
            fields.put("log-loss nats", round(manifest.getDrift().getLogLoss()));
        }
        return fields;
    }

    private static void evaluated(EvaluationStatistics evaluated, Map<String, Object> fields) {
        fields.put("evaluated", evaluated.getGenerations());
        fields.put("evaluated accepted/step", ratio(evaluated.getAccepted(), evaluated.getSteps()));
        for (EvaluatedChoice counted : evaluated.getCounterfactuals()) {
            fields.put(counted.getChoice() + " accepted/step", compared(counted));
        }
    }

    /** Beside what is live on the same generations; these have the same tokens, so tokens/step are as the steps are. */
    private static String compared(EvaluatedChoice counted) {
        double accepted = ratio(counted.getAccepted(), counted.getSteps());
        return "%s against %s live, tokens/step x %s, on the same %d generations"
                .formatted(
                        accepted,
                        ratio(counted.getLiveAccepted(), counted.getLiveSteps()),
                        ratio(counted.getLiveSteps(), counted.getSteps()),
                        counted.getGenerations());
    }

    private static void policy(Policy policy, Map<String, Object> fields) {
        fields.put("policy", policy.getNumber());
        fields.put("enabled", policy.getEnabled());
        fields.put("budget max", policy.getBudgetMax());
        fields.put("probability floor", policy.getProbabilityFloor());
        fields.put(
                "weights",
                policy.getWeights().isEmpty()
                        ? "the product's defaults"
                        : "%d of layout %d, learned from %d places until %s"
                                .formatted(
                                        policy.getWeights().size(),
                                        policy.getWeightsLayout(),
                                        policy.getEvidence(),
                                        Instant.ofEpochMilli(
                                                policy.getLearnedAt().toEpochMilli())));
        fields.put("cost points", policy.getCostCurve().size());
    }

    /** What is not the same on both sides, "-" where a side has none of it. */
    public static Map<String, List<Object>> differences(Map<String, Object> left, Map<String, Object> right) {
        Map<String, List<Object>> differences = new LinkedHashMap<>();
        TreeSet<String> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            if (!Objects.equals(left.get(name), right.get(name))) {
                differences.put(name, Arrays.asList(left.getOrDefault(name, "-"), right.getOrDefault(name, "-")));
            }
        }
        return differences;
    }

    static double ratio(long part, long whole) {
        return whole == 0 ? 0 : round((double) part / whole);
    }

    private static double round(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
