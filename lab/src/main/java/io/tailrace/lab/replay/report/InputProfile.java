package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What the replayed requests are like, in figures that need no drafter. */
final class InputProfile {
    private static final int RUN_TOKENS = 8;
    /** Each remembered place takes some 50 bytes. */
    private static final int REMEMBERED_MAX = 4_000_000;

    private final List<ReplayStream> streams;
    private final List<String> readings;

    /** @param readings what was told of the logs as they were read */
    InputProfile(List<ReplayStream> streams, List<String> readings) {
        this.streams = streams;
        this.readings = readings;
    }

    List<String> readings() {
        return readings;
    }

    /** A figure with its name. */
    record Figure(String name, String value) {}

    List<Figure> figures() {
        List<ReplayCase> cases =
                streams.stream().flatMap(stream -> stream.cases().stream()).toList();
        long repeats = cases.stream().filter(ReplayCase::repeat).count();
        long sessions = streams.stream().mapToLong(ReplayStream::sessions).sum();
        return List.of(
                new Figure("requests", format("%,d", cases.size())),
                new Figure("sessions", sessions == 0 ? "not said" : format("%,d", sessions)),
                new Figure(
                        "scopes",
                        format(
                                "%,d",
                                cases.stream().map(ReplayCase::scope).distinct().count())),
                new Figure("prompt tokens, median and 90 %", lengths(cases, ReplayCase::prompt)),
                new Figure("response tokens, median and 90 %", lengths(cases, ReplayCase::response)),
                new Figure("answers given before, whole", format("%.1f %%", 100.0 * repeats / cases.size())),
                new Figure(
                        "answered tokens in runs of %d that an earlier answer has".formatted(RUN_TOKENS),
                        format("%.1f %%", 100 * seenBefore())));
    }

    private static String lengths(List<ReplayCase> cases, Function<ReplayCase, int[]> tokens) {
        int[] lengths = cases.stream()
                .mapToInt(request -> tokens.apply(request).length)
                .sorted()
                .toArray();
        return format("%,d and %,d", lengths[lengths.length / 2], lengths[(int) (lengths.length * 0.9)]);
    }

    /** Share of the response tokens that stand in a run of tokens which an earlier answer of the stream and scope has, too. */
    double seenBefore() {
        long seen = 0;
        long all = 0;
        for (ReplayStream stream : streams) {
            Map<String, Set<Long>> runsOf = new HashMap<>();
            for (ReplayCase request : stream.cases()) {
                Set<Long> runs = runsOf.computeIfAbsent(request.scope(), scope -> new HashSet<>());
                seen += covered(request.response(), runs);
                all += request.response().length;
                remember(request.response(), runs);
            }
        }
        return all == 0 ? 0 : (double) seen / all;
    }

    private static int covered(int[] response, Set<Long> runs) {
        int covered = 0;
        int until = 0;
        for (int at = 0; at + RUN_TOKENS <= response.length; at++) {
            if (runs.contains(hash(response, at))) {
                covered += at + RUN_TOKENS - Math.max(at, until);
                until = at + RUN_TOKENS;
            }
        }
        return covered;
    }

    private static void remember(int[] response, Set<Long> runs) {
        for (int at = 0; at + RUN_TOKENS <= response.length && runs.size() < REMEMBERED_MAX; at++) {
            runs.add(hash(response, at));
        }
    }

    private static long hash(int[] tokens, int from) {
        long hash = 0;
        for (int token : Arrays.copyOfRange(tokens, from, from + RUN_TOKENS)) {
            hash = (hash ^ token) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
