package io.tailrace.lab.bench.leak;

import io.tailrace.lab.bench.serve.BenchServer;
import io.tailrace.worker.engine.EngineOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** What callers wait for their last event, and how much is answered, by how many callers ask at a time. */
final class SpacingCost {
    private static final String SCOPE = "cost";
    private static final int[] CALLERS = {
        1, EngineOptions.defaults().batchMax(), 4 * EngineOptions.defaults().batchMax()
    };
    private static final int CALLS_EACH = 12;

    private SpacingCost() {}

    /**
     * One setting at one number of callers, each of which asks one thing after the other.
     *
     * @param lastEventMillisP50 from the call to the last event, median
     * @param tokensPerSecond of all callers together
     * @param lateShare pieces that missed their time, of all; 0 where there is no spacing
     */
    record Row(String setting, int callers, double lastEventMillisP50, double tokensPerSecond, double lateShare) {}

    /** Asks for what was answered before, so that drafts are accepted. */
    static List<Row> measure(String setting, BenchServer server, IntFunction<int[]> requests, int answerTokens)
            throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        Victim victim = new Victim(server, SCOPE);
        for (int number = 0; number < CALLS_EACH; number++) {
            victim.asks(requests.apply(number), answerTokens);
        }
        for (int callers : CALLERS) {
            rows.add(round(setting, server, requests, answerTokens, callers));
        }
        return rows;
    }

    private static Row round(
            String setting, BenchServer server, IntFunction<int[]> requests, int answerTokens, int callers)
            throws IOException, InterruptedException {
        int[][] all = new int[CALLS_EACH][];
        Arrays.setAll(all, requests);
        double late = late(server);
        long began = System.nanoTime();
        List<Observation> seen = ask(server, all, answerTokens, callers);
        double seconds = (System.nanoTime() - began) / 1e9;
        long tokens = seen.stream().mapToLong(Observation::tokens).sum();
        double[] last =
                seen.stream().mapToDouble(Observation::lastNanos).sorted().toArray();
        return new Row(setting, callers, last[last.length / 2] / 1e6, tokens / seconds, (late(server) - late) / tokens);
    }

    private static List<Observation> ask(BenchServer server, int[][] requests, int answerTokens, int callers)
            throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Callable<List<Observation>>> all = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                int from = caller;
                all.add(() -> inTurn(server, requests, answerTokens, from));
            }
            List<Observation> seen = new ArrayList<>();
            for (Future<List<Observation>> each : threads.invokeAll(all)) {
                seen.addAll(each.get());
            }
            return seen;
        } catch (ExecutionException e) {
            throw new IOException("a call failed: " + e.getCause().getMessage(), e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    private static List<Observation> inTurn(BenchServer server, int[][] requests, int answerTokens, int from)
            throws IOException, InterruptedException {
        Attacker caller = new Attacker(server.completions(), false);
        List<Observation> seen = new ArrayList<>();
        for (int call = 0; call < requests.length; call++) {
            seen.add(caller.streamed(SCOPE, requests[(from + call) % requests.length], answerTokens, true));
        }
        return seen;
    }

    private static double late(BenchServer server) {
        return BenchServer.sum(server.scrape(), "tailrace_events_late_total");
    }
}
