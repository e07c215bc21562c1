package io.tailrace.e2e.browser;

import com.deque.html.axecore.results.CheckedNode;
import com.deque.html.axecore.selenium.AxeBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A headless Chromium, driven by Selenium through ChromeDriver. Both programs are found on the PATH. */
final class Browser implements AutoCloseable {
    private static final Duration PAGE_MAX = Duration.ofSeconds(30);
    static final String ENTER = Keys.ENTER.toString();
    static final String SPACE = Keys.SPACE.toString();

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** @param folder for its profile and what the driver says */
    static Browser start(Path folder) {
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").toFile())
                .usingAnyFreePort()
                .withLogFile(folder.resolve("chromedriver.log").toFile())
                .build();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(
                program("chromium", "chromium-browser", "google-chrome").toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--window-size=1280,900",
                "--user-data-dir=" + folder.resolve("profile"));
        return new Browser(new ChromeDriver(service, options));
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

    /** Returns when the page is there. */
    void open(String url) {
        driver.get(url);
    }

    private WebElement find(String xpath) {
        return driver.findElement(By.xpath(xpath));
    }

    /** Clicks as a hand would. */
    void click(String xpath) {
        find(xpath).click();
    }

    /** Clicks on what leads to another page; returns when that one is there. */
    void clickThrough(String xpath) {
        script("document.documentElement.dataset.left = 'yes';");
        click(xpath);
        Awaitility.await("the page that %s leads to".formatted(xpath))
                .atMost(PAGE_MAX)
                .ignoreException(WebDriverException.class) // between two pages
                .until(() -> script(
                                "return document.readyState === 'complete' && !document.documentElement.dataset.left;")
                        .asBoolean());
    }

    /** Types over what a field holds. */
    void type(String xpath, String text) {
        WebElement field = find(xpath);
        field.clear();
        field.sendKeys(text);
    }

    /** Presses a key where the keyboard then is: at that element. */
    void press(String xpath, String key) {
        find(xpath).sendKeys(key);
    }

    /** What the page says, as it is seen. */
    String text() {
        try {
            return find("//body").getText();
        } catch (StaleElementReferenceException e) {
            return find("//body").getText(); // between two pages
        }
    }

    /** What a script returns. */
    JsonNode script(String script) {
        return JSON.valueToTree(driver.executeScript(script));
    }

    /** The cells of the table that a section has, row by row. */
    List<List<String>> table(String heading) {
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
    List<Map.Entry<String, String>> tiles() {
        List<Map.Entry<String, String>> tiles = new ArrayList<>();
        for (JsonNode tile : script("""
                return [...document.querySelectorAll("dl.tiles div")].map(one => [...one.children].map(part => part.textContent));
                """)) {
            tiles.add(Map.entry(tile.get(0).asText(), tile.get(1).asText()));
        }
        return tiles;
    }

    /** As somebody prefers it: {@code light} or {@code dark}. Pages that are opened later are so, too. */
    void colours(String scheme) {
        emulate(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** As it is printed, or with {@code screen} as it is shown. */
    void medium(String medium) {
        emulate("Emulation.setEmulatedMedia", Map.of("media", medium));
    }

    /** How wide the page is laid out, where the screen has so many pixels. */
    int widthOn(int pixels) {
        return scriptOn(pixels, "return document.documentElement.scrollWidth;").asInt();
    }

    /** What does not fit on a screen or sheet of so many pixels: the elements that end right of it. */
    List<String> beyond(int pixels) {
        JsonNode found = scriptOn(pixels, """
                return [...document.querySelectorAll("body *")].filter(one => one.getBoundingClientRect().right > %d)
                  .map(one => one.tagName + " " + one.className);
                """.formatted(pixels));
        List<String> beyond = new ArrayList<>();
        found.forEach(one -> beyond.add(one.asText()));
        return beyond;
    }

    private JsonNode scriptOn(int pixels, String script) {
        emulate(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", 844, "deviceScaleFactor", 1, "mobile", true));
        JsonNode said = script(script);
        emulate("Emulation.clearDeviceMetricsOverride", Map.of());
        return said;
    }

    private void emulate(String command, Map<String, Object> parameters) {
        driver.executeCdpCommand(command, parameters);
    }

    /** What axe finds that is serious or critical: rule, and where. */
    List<String> violations() {
        return new AxeBuilder()
                .analyze(driver).getViolations().stream()
                        .filter(found -> List.of("serious", "critical").contains(found.getImpact()))
                        .map(found -> found.getId() + " at "
                                + found.getNodes().stream()
                                        .map(CheckedNode::getHtml)
                                        .toList())
                        .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
