package io.tailrace.lab.chaos;

import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** What a run says at its end, and writes as JSON. */
record ChaosReport(long seed, int minutes, List<FaultOutcome> faults, Recoveries recovery, Verdict verdict) {
    void print(PrintWriter out) {
        FaultTable.print(faults, out);
        Table audit = new Table("lane", "check", "result", "found");
        for (Map<String, Object> row : verdict.audit()) {
            Object lane = row.get("lane").toString().isEmpty() ? "all" : row.get("lane");
            audit.row(lane, row.get("check"), row.get("result"), row.get("found"));
        }
        audit.print(out);
        out.println("answers   %,d told, %,d of them on topic generations, %,d records differ from the truth"
                .formatted(verdict.told(), verdict.onTopic(), verdict.differing()));
        out.println("versions  %,d announced".formatted(verdict.versions()));
        out.println("recovery  of %d faults: p50 %,d ms, p99 %,d ms, max %,d ms"
                .formatted(recovery.count(), recovery.p50Millis(), recovery.p99Millis(), recovery.maxMillis()));
        out.println("ended by themselves, started again: " + (verdict.ended().isEmpty() ? "none" : verdict.ended()));
        verdict.broken().forEach(wrong -> out.println("BROKEN    " + wrong));
        long leftOut = faults.stream().filter(fault -> !fault.done()).count();
        out.println("faults    %d done, %d left out, since this machine cannot do them"
                .formatted(faults.size() - leftOut, leftOut));
        out.println("seed %d: %s".formatted(seed, verdict.broken().isEmpty() ? "every promise held" : "broken"));
        out.flush();
    }
}
