package io.tailrace.bench.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What to replay.
 *
 * @param files one workload each
 * @param requests how many of each, from the start
 * @param budgets draft tokens a verification
 */
record ReplayOptions(List<Path> files, int requests, int[] budgets) {
    static final String USAGE = "usage: ReplayExperiment [--requests 1200] [--budgets 8,16,31] FILE.jsonl.gz...";

    ReplayOptions {
        if (files.isEmpty() || requests < 2 || budgets.length == 0) {
            throw new IllegalArgumentException(USAGE + "; needs at least one file, two requests and one budget, got "
                    + files.size() + " files, " + requests + " requests, " + budgets.length + " budgets");
        }
    }

    static ReplayOptions parse(String[] arguments) {
        List<Path> files = new ArrayList<>();
        int requests = 1200;
        int[] budgets = {8, 16, 31};
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--requests" -> requests = Integer.parseInt(value(arguments, ++i));
                case "--budgets" ->
                    budgets = Arrays.stream(value(arguments, ++i).split(",", -1))
                            .mapToInt(Integer::parseInt)
                            .toArray();
                default -> files.add(Path.of(arguments[i]));
            }
        }
        return new ReplayOptions(files, requests, budgets);
    }

    private static String value(String[] arguments, int at) {
        if (at == arguments.length) {
            throw new IllegalArgumentException(arguments[at - 1] + " needs a value; " + USAGE);
        }
        return arguments[at];
    }
}
