package io.tailrace.e2e.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A headless Chromium, driven by ChromeDriver as the WebDriver standard has it. Both are found on the PATH. */
final class Browser implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final Duration PAGE_MAX = Duration.ofSeconds(30);
    /** What an element's id is under, in every answer. */
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

    /** Keys, as the WebDriver standard writes them. */
    static final String ENTER = "\uE007";

    static final String SPACE = "\uE00D";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process driver;
    private final String base;
    private final String session;

    private Browser(Process driver, int port, Path folder) throws IOException {
        this.driver = driver;
        this.base = "http://127.0.0.1:" + port;
        Awaitility.await("ChromeDriver")
                .atMost(START_MAX)
                .ignoreExceptions()
                .until(() -> send("GET", "/status", null).path("ready").asBoolean());
        Map<String, Object> options = Map.of(
                "binary",
                program("chromium", "chromium-browser", "google-chrome").toString(),
                "args",
                List.of(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--window-size=1280,900",
                        "--user-data-dir=" + folder.resolve("profile")));
        Map<String, Object> wanted =
                Map.of("capabilities", Map.of("alwaysMatch", Map.of("goog:chromeOptions", options)));
        this.session =
                "/session/" + send("POST", "/session", wanted).path("sessionId").asText();
    }

    /** @param folder for its profile and what the driver says */
    static Browser start(Path folder) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process driver = new ProcessBuilder(program("chromedriver").toString(), "--port=" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("chromedriver.log").toFile())
                .start();
        return new Browser(driver, port, folder);
    }

    /** A missing browser is a failure: what is not looked at is not known to work. */
    private static Path program(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "no %s on the PATH; install it (Debian: apt-get install chromium chromium-driver)"
                                .formatted(String.join(", ", names))));
    }

    private JsonNode send(String method, String path, Object body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
        }
        HttpResponse<String> answer = client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .join();
        JsonNode value = JSON.readTree(answer.body()).path("value");
        if (answer.statusCode() != 200) {
            throw new IOException("%s: %s".formatted(path, value));
        }
        return value;
    }

    /** Returns when the page is there. */
    void open(String url) throws IOException {
        send("POST", session + "/url", Map.of("url", url));
    }

    private String find(String xpath) throws IOException {
        return send("POST", session + "/element", Map.of("using", "xpath", "value", xpath))
                .path(ELEMENT)
                .asText();
    }

    /** Clicks as a hand would. */
    void click(String xpath) throws IOException {
        send("POST", session + "/element/" + find(xpath) + "/click", Map.of());
    }

    /** Clicks on what leads to another page; returns when that one is there. */
    void clickThrough(String xpath) throws IOException {
        script("document.documentElement.dataset.left = 'yes';");
        click(xpath);
        Awaitility.await("the page that %s leads to".formatted(xpath))
                .atMost(PAGE_MAX)
                .ignoreException(IOException.class) // between two pages
                .until(() -> script(
                                "return document.readyState === 'complete' && !document.documentElement.dataset.left;")
                        .asBoolean());
    }

    /** Types over what a field holds. */
    void type(String xpath, String text) throws IOException {
        String field = session + "/element/" + find(xpath);
        send("POST", field + "/clear", Map.of());
        send("POST", field + "/value", Map.of("text", text));
    }

    /** Presses a key where the keyboard then is: at that element. */
    void press(String xpath, String key) throws IOException {
        send("POST", session + "/element/" + find(xpath) + "/value", Map.of("text", key));
    }

    /** What the page says, as it is seen. */
    String text() throws IOException {
        try {
            return body();
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("stale element")) {
                return body(); // between two pages
            }
            throw e;
        }
    }

    private String body() throws IOException {
        return send("GET", session + "/element/" + find("//body") + "/text", null)
                .asText();
    }

    /** What a script returns. */
    JsonNode script(String script) throws IOException {
        return send("POST", session + "/execute/sync", Map.of("script", script, "args", List.of()));
    }

    /** The cells of the table that a section has, row by row. */
    List<List<String>> table(String heading) throws IOException {
        JsonNode rows = script("""
                const section = [...document.querySelectorAll("section")].find(one => one.querySelector("h2").textContent === "%s");
                return [...section.querySelectorAll("tbody tr")].map(row => [...row.children].map(cell => cell.textContent));
                """.formatted(heading));
        List<List<String>> table = new ArrayList<>();
        for (JsonNode row : rows) {
            List<String> cells = new ArrayList<>();
            row.forEach(cell -> cells.add(cell.asText()));
            table.add(cells);
        }
        return table;
    }

    /** What each tile counts, and its figure, in their order. */
    List<Map.Entry<String, String>> tiles() throws IOException {
        List<Map.Entry<String, String>> tiles = new ArrayList<>();
        for (JsonNode tile : script("""
                return [...document.querySelectorAll("dl.tiles div")].map(one => [...one.children].map(part => part.textContent));
                """)) {
            tiles.add(Map.entry(tile.get(0).asText(), tile.get(1).asText()));
        }
        return tiles;
    }

    /** As somebody prefers it: {@code light} or {@code dark}. Pages that are opened later are so, too. */
    void colours(String scheme) throws IOException {
        emulate(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** As it is printed, or with {@code screen} as it is shown. */
    void medium(String medium) throws IOException {
        emulate("Emulation.setEmulatedMedia", Map.of("media", medium));
    }

    /** How wide the page is laid out, where the screen has so many pixels. */
    int widthOn(int pixels) throws IOException {
        return scriptOn(pixels, "return document.documentElement.scrollWidth;").asInt();
    }

    /** What does not fit on a screen or sheet of so many pixels: the elements that end right of it. */
    List<String> beyond(int pixels) throws IOException {
        JsonNode found = scriptOn(pixels, """
                return [...document.querySelectorAll("body *")].filter(one => one.getBoundingClientRect().right > %d)
                  .map(one => one.tagName + " " + one.className);
                """.formatted(pixels));
        List<String> beyond = new ArrayList<>();
        found.forEach(one -> beyond.add(one.asText()));
        return beyond;
    }

    private JsonNode scriptOn(int pixels, String script) throws IOException {
        emulate(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", 844, "deviceScaleFactor", 1, "mobile", true));
        JsonNode said = script(script);
        emulate("Emulation.clearDeviceMetricsOverride", Map.of());
        return said;
    }

    private void emulate(String command, Map<String, Object> parameters) throws IOException {
        send("POST", session + "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    /** What axe finds that is serious or critical: rule, and where. */
    List<String> violations() throws IOException {
        script(axe() + "; return typeof axe;");
        JsonNode found = send("POST", session + "/execute/async", Map.of("script", """
                        const done = arguments[arguments.length - 1];
                        axe.run().then(said => done(said.violations), failed => done([{ id: String(failed), impact: "critical", nodes: [] }]));
                        """, "args", List.of()));
        List<String> violations = new ArrayList<>();
        for (JsonNode one : found) {
            if (List.of("serious", "critical").contains(one.path("impact").asText())) {
                violations.add(
                        one.path("id").asText() + " at " + one.path("nodes").findValuesAsText("html"));
            }
        }
        return violations;
    }

    private static String axe() throws IOException {
        try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            send("DELETE", session, null);
        } finally {
            driver.destroy();
            driver.onExit().join();
        }
    }
}
