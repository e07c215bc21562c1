package io.tailrace.lab.replay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path sql;
    private Path chat;

    @BeforeEach
    void writeRequests() throws IOException {
        sql = requests("sql", 1);
        chat = requests("chat", 2);
    }

    @Test
    void jsonHoldsARunForEachWorkloadStrategyAndBudgetAndThePool() throws IOException {
        Path json = folder.resolve("r.json");
        String files = sql + " " + chat;
        String options = " --strategy adaptive,none --budget 4,8 --count second-half --threads 2 --json " + json;
        assertThat(run("replay --input " + files + options)).isZero();
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertThat(root.get("runs")).hasSize(8);
        assertThat(root.get("pooled")).hasSize(4);
        JsonNode first = root.get("runs").get(0);
        assertThat(first.get("workload").textValue()).isEqualTo("sql");
        assertThat(first.get("strategy").textValue()).isEqualTo("adaptive");
        assertThat(first.get("budget").intValue()).isEqualTo(4);
        assertThat(first.get("steps").longValue()).isPositive();
        assertThat(first.get("tokensPerStep").doubleValue()).isGreaterThan(1);
        assertThat(first.get("acceptedPerStep").doubleValue()).isPositive();
        assertThat(first.get("draftedPerStep").doubleValue()).isBetween(0.0, 4.0);
        assertThat(first.get("draftMicros").get("p50").doubleValue()).isPositive();
        assertThat(first.get("draftMicros").get("p99").doubleValue()).isPositive();
        JsonNode reliability = root.get("reliability");
        assertThat(reliability).hasSize(2);
        assertThat(reliability.get(0).get("calibrated").isNull()).isTrue();
        assertThat(reliability.get(0).get("offPaths").isNull()).isTrue();
        assertThat(reliability.get(0).get("paths").get(0).fieldNames())
                .toIterable()
                .containsExactly("from", "cases", "predicted", "observed");
        assertThat(root.get("weights").textValue()).isEqualTo("shipped");
        assertThat(root.get("command").textValue()).startsWith("tailrace replay --input ");
    }

    @Test
    void theTableEndsWithThePoolAndTheReliability() {
        assertThat(run("replay --input " + sql + " --budget 8")).isZero();
        assertThat(out.toString()).contains("sql ", "pooled ", "tokens/step", "predicted");
        assertThat(out.toString()).contains("adaptive, budget 8: calibration not judged: no bin has 1,000 cases");
    }

    @Test
    void theReportIsOneFileThatAsksNobody() throws IOException {
        Path html = folder.resolve("r.html");
        assertThat(run("replay --budget 8 --strategy adaptive,none --html " + html + " --input " + sql + " " + chat))
                .isZero();
        String page = Files.readString(html);
        assertThat(page).startsWith("<!doctype html>").contains("sql", "chat", "</html>");
        assertThat(page).contains("Chart.js v", "The MIT License").doesNotContain("sourceMappingURL");
        assertThat(page).contains("<li>adaptive, budget 8: calibration not judged");
        assertThat(page).doesNotContain("<script src", "<link", "url(", "@import", "{{", "speculation cache");
    }

    @Test
    void theReportsChartsAreDrawnFromOneBlockOfData() throws IOException {
        Path html = folder.resolve("r.html");
        String options = " --budget 4,8 --strategy adaptive,none --html " + html;
        assertThat(run("replay --input " + sql + " " + chat + options)).isZero();
        JsonNode charts = data(Files.readString(html)).get("charts");
        assertThat(charts)
                .extracting(chart -> chart.get("place").textValue() + ": "
                        + chart.get("title").textValue())
                .containsExactly(
                        "bars: budget 4",
                        "bars: budget 8",
                        "sharing: budget 8",
                        "budgets: tokens a step",
                        "budgets: estimated speed-up",
                        "streams: sql",
                        "streams: chat",
                        "reliability: adaptive, budget 4: paths",
                        "reliability: adaptive, budget 4: tokens",
                        "reliability: adaptive, budget 8: paths",
                        "reliability: adaptive, budget 8: tokens");
        JsonNode bars = charts.get(0);
        assertThat(bars.get("categories"))
                .extracting(JsonNode::textValue)
                .containsExactlyInAnyOrder("sql", "chat", "pooled")
                .last()
                .isEqualTo("pooled");
        assertThat(bars.get("series").get(1).get("name").textValue()).isEqualTo("none");
        assertThat(bars.get("series").get(1).get("values"))
                .extracting(JsonNode::doubleValue)
                .containsOnly(1.0);
    }

    @Test
    void theReportOpensWithAVerdictAndShowsWhatSharingIsWorth() throws IOException {
        Path html = folder.resolve("r.html");
        Path json = folder.resolve("r.json");
        String options = " --budget 8 --sharing 2 --batch 4 --step-micros 10000 --html " + html + " --json " + json;
        assertThat(run("replay --input " + sql + " " + chat + options)).isZero();
        String page = Files.readString(html);
        assertThat(page.substring(page.indexOf("<h1>")))
                .containsPattern("<h1>Too few to say: 24 requests, and it takes 300.* \\d\\.\\d\\d tokens a step")
                .containsSubsequence("GPU hours", "a step takes 10.0 ms, 4 requests share it", "What to do next")
                .containsSubsequence("each alone", "shared, 50 requests behind", "shared at once")
                .contains("25 a second", "No stream here has more than 12 requests")
                .contains("<td>requests</td><td>24</td>");
        JsonNode sharing = data(page).get("charts").get(1);
        assertThat(sharing.get("place").textValue()).isEqualTo("sharing");
        assertThat(sharing.get("series")).hasSize(3);
        assertThat(out.toString()).contains("2 workers", "each alone", "an A100 by its data sheet", ": a step takes");
        double alone = sharing.get("series").get(0).get("values").get(0).doubleValue();
        double shared = sharing.get("series").get(2).get("values").get(0).doubleValue();
        assertThat(alone).isLessThan(shared);
        JsonNode ways = new ObjectMapper().readTree(json.toFile()).get("sharing");
        assertThat(ways)
                .extracting(way -> way.get("way").textValue())
                .containsExactly("each alone", "shared, 50 requests behind", "shared at once");
        assertThat(ways).allSatisfy(way -> {
            assertThat(way.get("workers").intValue()).isEqualTo(2);
            assertThat(way.get("runs")).hasSize(2);
        });
        JsonNode byWorkload = ways.get(0).get("runs").get(0);
        assertThat(byWorkload.get("tokensPerStep").doubleValue()).isCloseTo(alone, within(0.005));
        assertThat(ways.get(2).get("pooled").get("tokensPerStep").doubleValue())
                .isGreaterThan(ways.get(0).get("pooled").get("tokensPerStep").doubleValue());
    }

    @Test
    void workloadsThatGainMostStandFirstWhateverTheOrderOfTheInputs() throws IOException {
        Path html = folder.resolve("r.html");
        Path novel = requests("novel", 3, 0);
        String options = " --budget 4,8 --strategy adaptive,none --sharing 2 --html " + html;
        assertThat(run("replay --input " + novel + " " + sql + options)).isZero();
        for (JsonNode chart : data(Files.readString(html)).get("charts")) {
            if (chart.get("kind").textValue().equals("bars")) {
                assertThat(chart.get("categories"))
                        .as("%s", chart)
                        .extracting(JsonNode::textValue)
                        .containsExactly("sql", "novel", "pooled");
            }
        }
    }

    @Test
    void eachAxisHasATitleAndEachBarItsValue() throws IOException {
        Path html = folder.resolve("r.html");
        String options = " --budget 4,8 --speculate 20 --html " + html;
        assertThat(run("replay --input " + sql + " " + chat + options)).isZero();
        JsonNode charts = data(Files.readString(html)).get("charts");
        assertThat(charts).extracting(chart -> chart.get("kind").textValue()).contains("bars", "lines");
        assertThat(charts).allSatisfy(chart -> {
            boolean bars = chart.get("kind").textValue().equals("bars");
            assertThat(chart.get("title").textValue()).isNotBlank();
            assertThat(chart.get("xTitle").textValue()).isNotBlank();
            if (bars) {
                assertThat(chart.get("digits").intValue()).isPositive();
            } else {
                assertThat(chart.get("yTitle").textValue()).isNotBlank();
            }
            assertThat(chart.get("series")).isNotEmpty().allSatisfy(series -> {
                assertThat(series.get("name").textValue()).isNotBlank();
                assertThat(series.get("values")).hasSameSizeAs(chart.get(bars ? "categories" : "x"));
            });
        });
    }

    @Test
    void streamsThatAreNotDrawnAreSaid() throws IOException {
        Path html = folder.resolve("r.html");
        StringBuilder inputs = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            inputs.append(' ').append(requests("s" + i, i));
        }
        String options = " --budget 4 --strategy none --sharing 1 --html " + html;
        assertThat(run("replay --input" + inputs + options)).isZero();
        String page = Files.readString(html);
        assertThat(page).contains("Of 25 streams the first 24 are drawn");
        assertThat(data(page).get("charts"))
                .filteredOn(chart -> chart.get("place").textValue().equals("streams"))
                .hasSize(24);
        assertThat(run("replay --input " + sql + options)).isZero();
        assertThat(Files.readString(html)).doesNotContain("streams the first");
    }

    @Test
    void theReportHasTheSettingToPaste() throws IOException {
        Path html = folder.resolve("r.html");
        assertThat(run("replay --budget 8 --html " + html + " --input " + sql)).isZero();
        assertThat(Files.readString(html))
                .contains(
                        "<h2>The setting in your engine</h2>",
                        ">TAILRACE_DRAFT_TOKENS&#x3D;8 vllm serve MODEL",
                        ">tailrace worker --model FOLDER --budget 8<",
                        "Only a budget of 8 was replayed")
                .doesNotContain("docs/");
    }

    @Test
    void aLargerBatchMakesTheEstimateSmaller() throws IOException {
        double before = Double.POSITIVE_INFINITY;
        for (int batch : new int[] {1, 8, 64}) {
            Path json = folder.resolve(batch + ".json");
            assertThat(run("replay --budget 31 --batch " + batch + " --json " + json + " --input " + sql))
                    .isZero();
            double speedUp = new ObjectMapper()
                    .readTree(json.toFile())
                    .get("pooled")
                    .get(0)
                    .get("speedUp")
                    .doubleValue();
            assertThat(speedUp).isLessThan(0.95 * before);
            before = speedUp;
        }
    }

    @Test
    void withAReportTreesAreReplayedAsLinesForTheEnginesThatVerifyLines() throws IOException {
        Path html = folder.resolve("r.html");
        Path json = folder.resolve("r.json");
        Path line = folder.resolve("line.json");
        String options = "replay --batch 1 --budget 4,8 --sharing 1 --input " + chat;
        assertThat(run(options + " --html " + html + " --json " + json)).isZero();
        assertThat(run(options + " --strategy adaptive:tree=false --json " + line))
                .isZero();
        JsonNode inOneLine = new ObjectMapper().readTree(json.toFile()).get("inOneLine");
        assertThat(inOneLine.get("strategy").textValue()).isEqualTo("adaptive:tree=false");
        assertThat(new ObjectMapper().readTree(line.toFile()).get("pooled"))
                .filteredOn(row -> row.get("budget").equals(inOneLine.get("budget")))
                .singleElement()
                .extracting(row -> row.get("tokensPerStep"))
                .isEqualTo(inOneLine.get("tokensPerStep"));
        String figure = String.format(
                Locale.ROOT, "%.2f", inOneLine.get("tokensPerStep").doubleValue());
        assertThat(Files.readString(html))
                .contains(
                        "trees (" + figure + " in one line)",
                        "verifies one line of tokens: " + figure + " tokens a step");
        assertThat(out.toString()).contains("In one line of tokens, as vLLM verifies: " + figure);
        assertThat(new ObjectMapper().readTree(line.toFile()).has("inOneLine")).isFalse();
    }

    @Test
    void whoseLogItIsDecidesWhichEngineHasASetting() throws IOException {
        Path html = folder.resolve("r.html");
        String finished = "{\"event\":\"request.finished\",\"obj\":{\"rid\":\"%d\",\"input_ids\":[1,2]},"
                + "\"out\":{\"output_ids\":[3,4,5,6,7,8,9],\"meta_info\":{\"completion_tokens\":7}}}";
        Path log = Files.write(
                folder.resolve("sglang.jsonl"),
                Stream.of(1, 2, 3, 4).map(finished::formatted).toList());
        assertThat(run("replay --batch 1 --budget 4 --html " + html + " --input " + log))
                .isZero();
        assertThat(Files.readString(html))
                .contains("no door for SGLang", "tailrace worker --model FOLDER")
                .doesNotContain("vllm serve");
    }

    @Test
    void aReportSaysWhatSharingIsWorthAmongEightUnlessItIsLeftOut() throws IOException {
        Path html = folder.resolve("r.html");
        String command = "replay --budget 8 --strategy none --html " + html + " --input " + sql;
        assertThat(run(command)).isZero();
        assertThat(Files.readString(html)).contains("What sharing is worth", "dealt to 8 workers in turn");
        assertThat(out.toString()).contains("8 workers");
        assertThat(run(command + " --sharing 1")).isZero();
        assertThat(Files.readString(html)).doesNotContain("What sharing is worth");
    }

    @Test
    void aNameCannotLeaveTheReportsMarkup() throws IOException {
        Path html = folder.resolve("r.html");
        String line = "{\"id\":\"%d\",\"workload\":\"</script><b>\",\"prompt\":[1],\"response\":[1,2,3]}";
        Path hostile = Files.write(folder.resolve("hostile.jsonl"), List.of(line.formatted(1), line.formatted(2)));
        assertThat(run("replay --budget 4 --html " + html + " --input " + hostile))
                .isZero();
        String page = Files.readString(html);
        assertThat(page).doesNotContain("</script><b>").contains("&lt;/script&gt;&lt;b&gt;");
        assertThat(data(page).get("charts").get(0).get("categories").get(0).textValue())
                .isEqualTo("</script><b>");
    }

    @ParameterizedTest
    @CsvSource({"shipped, figures on those flatter", "untrained, learned from", "held-out, trained on other inputs"})
    void theWeightsAreSaidWhereverFiguresStand(String weights, String meaning) throws IOException {
        Path json = folder.resolve("w.json");
        Path html = folder.resolve("w.html");
        String files = " --json " + json + " --html " + html + " --input " + sql + " " + chat;
        assertThat(run("replay --budget 8 --weights " + weights + files)).isZero();
        assertThat(out.toString())
                .startsWith("Mixer weights at the start: " + weights)
                .contains(meaning);
        assertThat(new ObjectMapper().readTree(json.toFile()).get("weights").textValue())
                .isEqualTo(weights);
        assertThat(Files.readString(html)).contains("Mixer weights at the start: " + weights);
    }

    @Test
    void aSpeculationCacheIsSimulatedForEachSourceAndChoice() throws IOException {
        Path json = folder.resolve("s.json");
        Path html = folder.resolve("s.html");
        String files = " --json " + json + " --html " + html;
        assertThat(run("replay --budget 8 --speculate 20,5000:14" + files + " --input " + sql))
                .isZero();
        assertThat(out.toString()).contains("hits %", "best-first", "geometric", "5,000");
        assertThat(new ObjectMapper().readTree(json.toFile()).get("speculation"))
                .hasSize(4);
        assertThat(Files.readString(html)).contains("speculation cache", "8: 5000us x14", "<td>geometric");
    }

    @Test
    void strategiesAreListedWithoutInput() {
        assertThat(run("replay --list-strategies")).isZero();
        assertThat(out.toString()).contains("adaptive", "prompt-lookup", "ngram");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--strategy nonsense | no strategy is named nonsense",
                "--strategy none:alpha=1 | no parameter alpha",
                "--strategy token-recycling | token-recycling:observed=true replays a stand-in",
                "--vocabulary 0 | --vocabulary must be at least 1",
                "--prompt-tokens -1 | --prompt-tokens must be at least 0",
                "--budget 65 | --budget must be 0 to 64",
                "--requests 1 | --requests must be at least 2",
                "--count first-half | --count must be all or second-half",
                "--flush 0 | --flush must be at least 1",
                "--lag -1 | --lag must be at least 0",
                "--sharing 0 | --sharing must be at least 1",
                "--workers 0 | --workers must be at least 1",
                "--shared --silo | mutually exclusive",
                "--threads 0 | --threads must be at least 1",
                "--weights best | --weights must be shipped",
                "--weights held-out | at least 2 inputs",
                "--cost 5:1 | begins with 1:1",
                "--speculate soon | MICROSECONDS",
                "--speculate 20 --cache-entries 0 | --cache-entries must be 1 to 64",
                "--order /no/such/order | /no/such/order",
                "--warm /no/such/file | /no/such/file",
                "--json /no/such/folder/x.json | folder must exist",
                "--html /no/such/folder/x.html | folder must exist"
            })
    void badOptionsAreSaidAndExitWith2(String options, String rule) {
        assertThat(run("replay --input " + sql + " " + options)).isEqualTo(2);
        assertThat(err.toString()).contains(rule).doesNotContain("Exception");
    }

    @Test
    void aBadLineIsNamedOrPassedOver() throws IOException {
        Path bad = folder.resolve("bad.jsonl");
        Files.write(
                bad,
                List.of(
                        "{",
                        Files.readAllLines(sql).get(0),
                        Files.readAllLines(sql).get(1)));
        assertThat(run("replay --input " + bad)).isEqualTo(2);
        assertThat(err.toString()).contains(bad + ":1");
        assertThat(run("replay --skip-bad-lines --input " + bad)).isZero();
    }

    @Test
    void anyTokenizersIdsAreReplayedAndAVocabularyIsACheck() throws IOException {
        Path llama = folder.resolve("llama.jsonl");
        String line = "{\"id\":\"%d\",\"prompt\":[128000],\"response\":[151935,5,2147483646,128009]}";
        Files.write(llama, List.of(line.formatted(1), line.formatted(2)));
        assertThat(run("replay --budget 8 --strategy adaptive,sam-decoding,suffix-decoding --input " + llama))
                .isZero();
        assertThat(run("replay --budget 8 --vocabulary 2147483647 --input " + llama))
                .isZero();
        assertThat(run("replay --budget 8 --vocabulary 128256 --input " + llama))
                .isEqualTo(2);
        assertThat(err.toString()).contains(llama + ":1", "below the vocabulary size 128256");
    }

    private static JsonNode data(String page) throws IOException {
        String from = "<script type=\"application/json\" id=\"data\">";
        int begin = page.indexOf(from) + from.length();
        return new ObjectMapper().readTree(page.substring(begin, page.indexOf("</script>", begin)));
    }

    private Path requests(String name, long seed) throws IOException {
        return requests(name, seed, 30);
    }

    /** Answers that have so many tokens in common. */
    private Path requests(String name, long seed, int common) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        String pattern = common == 0 ? "" : ids(random, common) + ",";
        for (int i = 0; i < 12; i++) {
            lines.add("{\"id\":\"%s%d\",\"prompt\":[%s],\"response\":[%s%s]}"
                    .formatted(name, i, ids(random, 3), pattern, ids(random, 5)));
        }
        return Files.write(folder.resolve(name + ".jsonl"), lines);
    }

    private static String ids(Random random, int count) {
        return random.ints(count, 0, 500).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private int run(String arguments) {
        return Tailrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.of(arguments.split(" +")).toArray(String[]::new));
    }
}
