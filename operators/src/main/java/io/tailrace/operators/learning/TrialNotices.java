package io.tailrace.operators.learning;

import io.tailrace.operators.Notice;
import io.tailrace.schemas.EventKind;
import io.tailrace.suffix.learn.PolicyTrial;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is told of trials: replicas act on proposals and ends, operators read all of it. */
final class TrialNotices {
    private TrialNotices() {}

    /** @param anchor the best policy that was shown; null: the live one */
    static Notice proposed(LanePolicy candidate, long livePolicy, LanePolicy anchor, String origin) {
        String message = "policy %d (%s, %s, %d labelled places) is being judged against the live one%s"
                .formatted(
                        candidate.number(),
                        origin,
                        candidate.limitsInWords(),
                        candidate.evidence(),
                        anchor == null ? "" : " and policy %d, the best that was shown".formatted(anchor.number()));
        Map<String, Long> numbers = new TreeMap<>();
        numbers.put("trial", candidate.number());
        numbers.put(LaneLearning.LIVE_POLICY, livePolicy);
        if (anchor != null) {
            numbers.put(LaneLearning.ANCHOR_POLICY, anchor.number());
        }
        return new Notice(
                EventKind.POLICY_PROPOSED,
                message,
                numbers,
                candidate.toRecord(List.of()),
                anchor == null ? null : anchor.toRecord(List.of()));
    }

    static Notice proposed(RetentionTrial.Candidate candidate) {
        String message = "trial %d: that %d tokens leave the lane for %s is being judged against keeping them"
                .formatted(candidate.number(), candidate.tokens(), candidate.reason());
        Map<String, Long> numbers = new TreeMap<>(numbers(candidate));
        numbers.put(LaneLearning.LIVE_POLICY, candidate.policy());
        return new Notice(EventKind.RETENTION_PROPOSED, message, numbers, candidate.toRecord());
    }

    static Notice judged(LanePolicy candidate, PolicyTrial.Verdict verdict, LaneTrial judged, PolicyAnchor anchor) {
        PolicyTrial.State trial = judged.steps();
        String message = "policy %d is %s on %d generations that neither has learned from (%d steps against %d%s)"
                .formatted(
                        candidate.number(),
                        words(verdict, judged),
                        trial.generations,
                        trial.candidateSteps,
                        trial.liveSteps,
                        anchor.policy() == null ? "" : besideTheBest(anchor));
        EventKind kind = verdict == PolicyTrial.Verdict.ADOPT ? EventKind.POLICY_ADOPTED : EventKind.POLICY_REFUSED;
        return new Notice(kind, message, with(Map.of("trial", candidate.number()), trial));
    }

    static Notice judged(RetentionTrial.Candidate candidate, PolicyTrial.Verdict verdict, PolicyTrial.State trial) {
        String message =
                "trial %d: that %d tokens leave the lane for %s is %s on %d generations that neither holds (%d steps against %d)"
                        .formatted(
                                candidate.number(),
                                candidate.tokens(),
                                candidate.reason(),
                                words(verdict),
                                trial.generations,
                                trial.candidateSteps,
                                trial.liveSteps);
        EventKind kind =
                verdict == PolicyTrial.Verdict.ADOPT ? EventKind.RETENTION_ADOPTED : EventKind.RETENTION_REFUSED;
        return new Notice(kind, message, with(numbers(candidate), trial));
    }

    /** What is not judged to its end stays out. */
    static Notice dropped(LanePolicy candidate, String why) {
        String message = "policy %d is refused unjudged: %s".formatted(candidate.number(), why);
        return new Notice(EventKind.POLICY_REFUSED, message, Map.of("trial", candidate.number()));
    }

    static Notice withdrawn(RetentionTrial.Candidate candidate, String why) {
        String message = "trial %d of what leaves the lane for %s is withdrawn: %s"
                .formatted(candidate.number(), candidate.reason(), why);
        return new Notice(EventKind.RETENTION_WITHDRAWN, message, numbers(candidate));
    }

    private static String words(PolicyTrial.Verdict verdict, LaneTrial judged) {
        boolean byAnchor = verdict == PolicyTrial.Verdict.REFUSE && judged.verdict() != PolicyTrial.Verdict.REFUSE;
        return byAnchor ? "refused: worse than the best that was shown" : words(verdict);
    }

    private static String besideTheBest(PolicyAnchor anchor) {
        return "; with policy %d, the best that was shown, %d against %d"
                .formatted(anchor.policy().number(), anchor.steps().candidateSteps, anchor.steps().liveSteps);
    }

    private static String words(PolicyTrial.Verdict verdict) {
        return switch (verdict) {
            case ADOPT -> "adopted: no worse than the live one";
            case REFUSE -> "refused: worse than the live one";
            default -> "refused: not shown to be as good as the live one";
        };
    }

    private static Map<String, Long> numbers(RetentionTrial.Candidate candidate) {
        return Map.of("trial", candidate.number(), "tokens", candidate.tokens());
    }

    private static Map<String, Long> with(Map<String, Long> numbers, PolicyTrial.State trial) {
        Map<String, Long> all = new TreeMap<>(numbers);
        all.put("generations", (long) trial.generations);
        all.put("liveSteps", trial.liveSteps);
        all.put("candidateSteps", trial.candidateSteps);
        return all;
    }
}
