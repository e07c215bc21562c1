package io.tailrace.lab.demo;

import io.tailrace.lab.loop.LoopObserver;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** The loop's two accounts, for people and for programs. */
final class DemoAccounts {
    private DemoAccounts() {}

    /** A line each. */
    static void print(LoopObserver.Accounting accounting, PrintWriter out) {
        LoopObserver.Accounting.Records records = accounting.records();
        out.println("records  read %,d = admitted %,d + duplicate %,d + rejected %,d   %s"
                .formatted(
                        records.read(),
                        records.admitted(),
                        records.duplicate(),
                        records.rejected(),
                        verdict(records.closes())));
        LoopObserver.Accounting.Tokens tokens = accounting.tokens();
        out.println("tokens   admitted %,d = live %,d + pending %,d + expired %,d + deleted %,d + lost %,d   %s"
                .formatted(
                        tokens.admitted(),
                        tokens.live(),
                        tokens.pending(),
                        tokens.expired(),
                        tokens.deleted(),
                        tokens.lost(),
                        verdict(tokens.closes())));
    }

    private static String verdict(boolean closes) {
        return closes ? "closes" : "DOES NOT CLOSE";
    }

    /** Adds {@code records} and {@code tokens}. */
    static void addTo(Map<String, Object> json, LoopObserver.Accounting accounting) {
        json.put("records", records(accounting.records()));
        json.put("tokens", tokens(accounting.tokens()));
    }

    private static Map<String, Object> records(LoopObserver.Accounting.Records records) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("read", records.read());
        row.put("admitted", records.admitted());
        row.put("duplicate", records.duplicate());
        row.put("rejected", records.rejected());
        return row;
    }

    private static Map<String, Object> tokens(LoopObserver.Accounting.Tokens tokens) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("admitted", tokens.admitted());
        row.put("live", tokens.live());
        row.put("pending", tokens.pending());
        row.put("expired", tokens.expired());
        row.put("deleted", tokens.deleted());
        row.put("lost", tokens.lost());
        return row;
    }
}
