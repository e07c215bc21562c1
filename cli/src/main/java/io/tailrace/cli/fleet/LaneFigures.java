package io.tailrace.cli.fleet;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a lane stands.
 *
 * @param scope the tenant, or a shared scope
 * @param pendingTokens admitted and in no version yet, by the job's account; -1: it has told none
 * @param newestVersion 0: none is announced
 * @param ageMillis since the newest version was made; -1: there is none
 * @param freshnessMillis the slowest live worker's median; -1: none was measured
 * @param workers that reported lately
 * @param workersOnNewest of them those that serve the newest version
 * @param tokensPerStep what workers' outcomes gave since the job's state began; null: none
 * @param gain tokens a step over those of each request's own context alone; null: nobody counts it
 * @param alarm whether a drift alarm is on
 */
public record LaneFigures(
        String lane,
        String scope,
        long documents,
        long liveTokens,
        long pendingTokens,
        int versions,
        long newestVersion,
        long ageMillis,
        long freshnessMillis,
        int workers,
        int workersOnNewest,
        Double tokensPerStep,
        Double gain,
        boolean alarm) {
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("lane", lane);
        json.put("scope", scope);
        json.put("documents", documents);
        json.put("liveTokens", liveTokens);
        json.put("pendingTokens", pendingTokens);
        json.put("versions", versions);
        json.put("newestVersion", newestVersion);
        json.put("ageMillis", ageMillis);
        json.put("freshnessMillisP50", freshnessMillis);
        json.put("workers", workers);
        json.put("workersOnNewest", workersOnNewest);
        json.put("tokensPerStep", tokensPerStep);
        json.put("gain", gain);
        json.put("driftAlarm", alarm);
        return json;
    }
}
