package io.tailrace.lab.engine;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * Metrics in Prometheus' text format, as they were when they were read.
 *
 * @param text a line for each metric and set of labels
 */
public record MetricsPage(String text) {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static MetricsPage read(URI address) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(ANSWER_MAX).build();
        HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("%s answers with status %d".formatted(address, answer.statusCode()));
        }
        return new MetricsPage(answer.body());
    }

    /** A metric summed over its labels; empty where there is none, or none that is a number yet. */
    public OptionalDouble sum(String name) {
        double[] values = values(name).toArray();
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(DoubleStream.of(values).sum());
    }

    private DoubleStream values(String name) {
        return Pattern.compile("(?m)^" + Pattern.quote(name) + "(?:\\{.*\\})? ([-+0-9.eE]+)$")
                .matcher(text)
                .results()
                .mapToDouble((MatchResult found) -> Double.parseDouble(found.group(1)));
    }
}
