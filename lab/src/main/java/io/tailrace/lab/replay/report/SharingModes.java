package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.ReplayProtocol;
import io.tailrace.lab.replay.ReplayProtocol.Sharing;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same runs with several workers in three ways: each alone, sharing at once, and sharing with a lag. */
final class SharingModes {
    private static final int LAG_REQUESTS = 50;
    /** With fewer requests the lag is much of a stream. */
    private static final int REQUESTS_FEW = 10 * LAG_REQUESTS;

    private SharingModes() {}

    /** One way, with what it gave. */
    record Mode(String name, List<ReplayRow> rows, ReplayRow pooled) {}

    /** The runs of each way, by its name: those of the first strategy at one budget, with other workers. */
    static Map<String, List<ReplayRun>> runs(List<ReplayRun> runs, int budget, int workers) {
        Map<String, ReplayProtocol> ways = new LinkedHashMap<>();
        ReplayProtocol how = runs.get(0).protocol();
        ways.put("each alone", how.delayed(1, 0).dealt(workers, Sharing.SILO));
        ways.put(
                "shared, %d requests behind".formatted(LAG_REQUESTS),
                how.delayed(1, LAG_REQUESTS).dealt(workers, Sharing.SHARED));
        ways.put("shared at once", how.delayed(1, 0).dealt(workers, Sharing.SHARED));
        Map<String, List<ReplayRun>> all = new LinkedHashMap<>();
        ways.forEach((name, way) -> all.put(
                name,
                runs.stream()
                        .filter(run -> run.budget() == budget
                                && run.strategy().equals(runs.get(0).strategy()))
                        .map(run -> new ReplayRun(run.stream(), run.strategy(), run.weights(), budget, way))
                        .toList()));
        return all;
    }

    /** Why the lag is what it is, and what it does to streams of which the longest has so many requests. */
    static String aboutLag(int requests) {
        String why =
                "Behind by %d requests is a fleet that answers %d a second and takes 2 seconds to bring an answer into a snapshot."
                        .formatted(LAG_REQUESTS, LAG_REQUESTS / 2);
        return requests >= REQUESTS_FEW
                ? why
                : why
                        + " No stream here has more than %,d requests: the lagging bars are mostly this lag."
                                .formatted(requests);
    }

    /** Puts results back to the ways, in the order of the runs. */
    static List<Mode> modes(Map<String, List<ReplayRun>> runs, List<ReplayRun.Done> done) {
        List<Mode> modes = new ArrayList<>();
        int from = 0;
        for (Map.Entry<String, List<ReplayRun>> way : runs.entrySet()) {
            List<ReplayRow> rows =
                    ReplayRow.of(done.subList(from, from + way.getValue().size()));
            modes.add(new Mode(way.getKey(), rows, ReplayRow.pooled(rows).get(0)));
            from += way.getValue().size();
        }
        return modes;
    }
}
