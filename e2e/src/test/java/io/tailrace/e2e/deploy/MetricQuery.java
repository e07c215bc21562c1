package io.tailrace.e2e.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is wrong with a query of Prometheus': metrics that nobody exposes, and labels that the metric beside them does not have. It knows as much
 * of the language as the dashboard and the alerts use.
 *
 * <pre>{@code
 * new MetricQuery("sum by (lane) (rate(tailrace_steps_total[5m]))").faults(); // none
 * }</pre>
 */
public record MetricQuery(String text) {
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:flink_|tailrace_|vllm:)\\w+|ALERTS|up(?=\\{))(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");
    private static final Pattern GROUPED = Pattern.compile("\\bby \\(([^)]*)\\) \\(");
    private static final Pattern JOINED = Pattern.compile("\\bon \\(([^)]*)\\)");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");

    /** Empty where all of it exists. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (metrics(text).isEmpty()) {
            faults.add("no metric in " + text);
        }
        METRIC.matcher(text).results().forEach(metric -> faults.addAll(ofSelector(metric)));
        Matcher grouped = GROUPED.matcher(text);
        while (grouped.find()) {
            String inner = text.substring(grouped.end(), closing(grouped.end()));
            metrics(inner).forEach(metric -> faults.addAll(missing(metric, names(grouped.group(1)))));
        }
        JOINED.matcher(text)
                .results()
                .forEach(joined ->
                        metrics(text).forEach(metric -> faults.addAll(missing(metric, names(joined.group(1))))));
        return faults;
    }

    /** Labels that selectors ask for, by metric. */
    public Map<String, Set<String>> asked() {
        Map<String, Set<String>> asked = new TreeMap<>();
        METRIC.matcher(text)
                .results()
                .forEach(metric -> asked.computeIfAbsent(metric.group(1), name -> new TreeSet<>())
                        .addAll(matched(metric)));
        return asked;
    }

    /** The same of what a legend shows: labels that the query's result has. */
    List<String> faultsOf(String legend) {
        Set<String> left = new TreeSet<>();
        GROUPED.matcher(text).results().forEach(grouped -> left.addAll(names(grouped.group(1))));
        if (left.isEmpty() && !text.startsWith("histogram_quantile")) {
            metrics(text).forEach(metric -> ExposedMetrics.all().labels(metric).ifPresent(left::addAll));
        }
        return LEGEND.matcher(legend)
                .results()
                .map(label -> label.group(1))
                .filter(label -> label.equals("le") || !left.contains(label))
                .map(label -> "legend asks for " + label + ", which the result does not have: " + text)
                .toList();
    }

    private static List<String> ofSelector(MatchResult metric) {
        return missing(metric.group(1), matched(metric));
    }

    private static List<String> matched(MatchResult metric) {
        return metric.group(2) == null
                ? List.of()
                : MATCHER.matcher(metric.group(2))
                        .results()
                        .map(matcher -> matcher.group(1))
                        .toList();
    }

    private static List<String> missing(String metric, List<String> asked) {
        return ExposedMetrics.all()
                .labels(metric)
                .map(labels -> asked.stream()
                        .filter(label -> !labels.contains(label))
                        .map(label -> "%s has no label %s, only %s".formatted(metric, label, labels))
                        .toList())
                .orElseGet(() -> List.of("nobody exposes " + metric));
    }

    private static Set<String> metrics(String of) {
        return METRIC.matcher(of).results().map(metric -> metric.group(1)).collect(Collectors.toSet());
    }

    private static List<String> names(String list) {
        return Stream.of(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Where the parenthesis that was opened before closes. */
    private int closing(int from) {
        int open = 1;
        int at = from;
        while (at < text.length() && open > 0) {
            char letter = text.charAt(at++);
            open += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        }
        return at;
    }
}
