package io.tailrace.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** {@code tailrace console}, as the command runs, on a free port. */
final class RunningConsole implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://(127\\.0\\.0\\.1:\\d+)/");
    private static final Duration START_MAX = Duration.ofSeconds(60);

    private final StringWriter said = new StringWriter();
    private final Thread thread;
    private final String address;

    RunningConsole(String... arguments) {
        List<String> all = new ArrayList<>(List.of("console", "--port", "0"));
        all.addAll(List.of(arguments));
        PrintWriter out = new PrintWriter(said, true);
        thread = new Thread(
                () -> Tailrace.commandLine().setOut(out).setErr(out).execute(all.toArray(String[]::new)),
                "console-command");
        thread.setDaemon(true);
        thread.start();
        Awaitility.await("the console")
                .atMost(START_MAX)
                .failFast(() -> assertThat(thread.isAlive()).as("%s", said).isTrue())
                .until(() -> ADDRESS.matcher(said.toString()).find());
        Matcher found = ADDRESS.matcher(said.toString());
        boolean unused = found.find();
        address = found.group(1);
    }

    String url(String path) {
        return "http://" + address + path;
    }

    /** The same with an operator's name and key, as a browser sends them when it has asked for them. */
    String url(String name, String key, String path) {
        return "http://%s:%s@%s%s".formatted(name, key, address, path);
    }

    /** What a page answers to a name and a key, {@code NAME:KEY}; null: to neither. */
    HttpResponse<String> answer(String path, String nameAndKey) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path)));
        if (nameAndKey != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(nameAndKey.getBytes(StandardCharsets.UTF_8)));
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        thread.interrupt();
        Awaitility.await("the console's end").atMost(START_MAX).until(() -> !thread.isAlive());
    }
}
