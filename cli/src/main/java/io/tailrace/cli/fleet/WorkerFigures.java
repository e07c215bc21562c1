package io.tailrace.cli.fleet;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a worker serves a lane with.
 *
 * @param version 0: none
 * @param versionsBehind announced versions that are newer
 * @param skewMillis from the version it serves to the newest one, by their numbers; -1: it serves none
 * @param seenMillis since its last report
 * @param live whether it reported lately
 * @param lastFailure why a load failed last; null: none has
 * @param acceptedPerStep of the outcomes that were read; null: none are the worker's
 */
public record WorkerFigures(
        String worker,
        String workerClass,
        String lane,
        long version,
        int versionsBehind,
        long skewMillis,
        long seenMillis,
        boolean live,
        long freshnessP50Millis,
        long freshnessP99Millis,
        long failures,
        String lastFailure,
        Double acceptedPerStep,
        Double tokensPerStep) {
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("worker", worker);
        json.put("workerClass", workerClass);
        json.put("lane", lane);
        json.put("version", version);
        json.put("versionsBehind", versionsBehind);
        json.put("skewMillis", skewMillis);
        json.put("seenMillis", seenMillis);
        json.put("live", live);
        json.put("freshnessMillisP50", freshnessP50Millis);
        json.put("freshnessMillisP99", freshnessP99Millis);
        json.put("failures", failures);
        json.put("lastFailure", lastFailure);
        json.put("acceptedPerStep", acceptedPerStep);
        json.put("tokensPerStep", tokensPerStep);
        return json;
    }
}
