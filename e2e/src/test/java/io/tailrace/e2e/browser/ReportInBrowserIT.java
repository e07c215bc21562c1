package io.tailrace.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.terminal.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of {@code tailrace replay --html}, as a browser shows it: each part that only a script draws is there, and everybody can read it. */
@Tag("full")
class ReportInBrowserIT {
    /** The width of an A4 sheet between a browser's margins, in pixels of CSS. */
    private static final int PRINTED = 717;

    /** The charts that lack an axis' title, or bars without a value. */
    private static final String UNTITLED = """
            return [...document.querySelectorAll("canvas")].map(one => Chart.getChart(one)).filter(chart => {
              const titled = axis => chart.options.scales[axis].title.display && chart.options.scales[axis].title.text;
              const bars = chart.config.type === "bar";
              const valued = chart.isPluginEnabled("values")
                && chart.data.datasets.every(set => set.data.every(value => value.toFixed(set.digits) > 0));
              return !titled("x") || !(bars ? valued : titled("y"));
            }).map(chart => chart.canvas.ariaLabel);
            """;

    @TempDir
    private Path folder;

    private static void run(String... line) {
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said, true);
        assertThat(Tailrace.commandLine().setOut(to).setErr(to).execute(line))
                .as("%s", said)
                .isEqualTo(ExitCodes.DONE);
    }

    @Test
    void itIsDrawnAndCanBeReadByEverybodyAndOnASmallScreen() throws Exception {
        Path input = folder.resolve("traffic.jsonl.gz");
        Path report = folder.resolve("report.html");
        run("traffic", input.toString(), "--requests", "300");
        run("replay", "--input", input.toString(), "--html", report.toString());
        try (Browser browser = Browser.start(folder)) {
            for (String scheme : List.of("light", "dark")) {
                browser.colours(scheme);
                browser.open(report.toUri().toString());
                assertThat(browser.violations()).as(scheme).isEmpty();
                assertThat(browser.script("return document.querySelectorAll('canvas').length;")
                                .asInt())
                        .as("charts, %s", scheme)
                        .isGreaterThanOrEqualTo(2);
                assertThat(browser.script("return performance.getEntriesByType('resource').length;")
                                .asInt())
                        .as("it fetches nothing")
                        .isZero();
            }
            assertThat(browser.script(UNTITLED))
                    .as("charts without titles or values")
                    .isEmpty();
            assertThat(browser.widthOn(390)).isLessThanOrEqualTo(390);
            String column = "//table[contains(@class, 'all')]//th[1]/button";
            for (String[] pressed : new String[][] {{Browser.ENTER, "ascending"}, {Browser.SPACE, "descending"}}) {
                browser.press(column, pressed[0]);
                assertThat(browser.script(
                                        "return [...document.querySelectorAll('table.all th')].map(th => th.ariaSort ?? '').join('');")
                                .asText())
                        .as("sorted by one column")
                        .isEqualTo(pressed[1]);
            }
            browser.medium("print");
            assertThat(browser.beyond(PRINTED)).as("cut off when printed").isEmpty();
        }
    }
}
