package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.local.LoopbackPorts;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.testkit.llama.PretrainedModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tailrace dev} with the model that it makes or a pretrained one, in a process of its own, as who writes an application uses it. */
class DevIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROMPT = "Once upon a time";
    private static final String REFUSED = "a marzipan xylophone is refused";
    /** As the tutorial asks for. */
    private static final int TOKENS = 60;
    /** The heap may grow. */
    private static final List<String> AS_THE_LAUNCHER = List.of("-Xmx2g", "-XX:G1HeapRegionSize=16m");

    private static final String SNAPSHOT = " is served";
    private static final String UP = "Ctrl-C ends it.";
    private static final String HEARD = "heard 1 answer of another producer";
    private static final String ENDED = "what was learned is kept";
    private static final Duration SHOWN_MAX = Duration.ofSeconds(30);
    private static final Pattern CONSOLE = Pattern.compile("console +(http://[^\\s]+)");
    /** Of a line about an answer: its tokens, and those accepted from shared answers. */
    private static final Pattern ANSWER =
            Pattern.compile("(?m)^ +\\d+ +(\\d+) +\\d+ +[\\d.]+ +(\\d+) +\\d+ +\\d+ +\\d+$");

    /** What the last line that was typed in a folder said. */
    private static final String TYPED = "typed.out";

    private static final long TYPED_SECONDS_MAX = 300;
    /** What pip and npm say where they do not reach their registry. */
    private static final Pattern UNREACHED =
            Pattern.compile("Retrying \\(Retry|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH");
    /** How the JavaScript program says that it is run. */
    private static final Pattern RUN_SO = Pattern.compile(": (npm install [^;]+); (node publish\\.mjs) PROMPT ANSWER");

    @TempDir
    Path folder;

    private final int[] ports = LoopbackPorts.free(3);
    /** Null: the one that it makes. */
    private Path model;

    @Test
    void anAnswerThatAnotherProducerPublishedIsDraftedFrom() throws Exception {
        try (JavaProcess dev = start()) {
            assertThat(dev.output()).contains("random weights", "its text means nothing", "--model FOLDER");
            String said = requireSharedDrafts(dev);
            requireConsole(dev);
            post("/v1/completions", Map.of("model", name(), "prompt", REFUSED, "max_tokens", -1));
            publish(tokens(REFUSED, true), List.of(1, 2, Integer.MAX_VALUE));
            Awaitility.await("a rejection")
                    .atMost(SHOWN_MAX)
                    .until(() -> !new TopicReader("127.0.0.1:" + ports[1])
                            .readRaw(Topic.REJECTIONS)
                            .isEmpty());
            List<Integer> ids = tokens(said, false);
            List<Integer> refused = tokens(REFUSED, false);
            end(dev);
            requireSilentLog(List.of(PROMPT, said.strip(), REFUSED), List.of(ids, refused));
        }
    }

    /** The log of broker, job, worker and console tells nothing of what was asked and said, be it served or refused. */
    private void requireSilentLog(List<String> texts, List<List<Integer>> ids) throws IOException {
        String log = Files.readString(folder.resolve(".tailrace/tailrace.log"));
        assertThat(log).hasSizeGreaterThan(10_000).doesNotContain(texts);
        for (List<Integer> each : ids) {
            List<String> tail = each.subList(each.size() - 4, each.size()).stream()
                    .map(String::valueOf)
                    .toList();
            assertThat(log).doesNotContain(String.join(", ", tail), String.join(",", tail), String.join(" ", tail));
        }
    }

    /** The console of the same process names the lane, and knows the job from Flink. */
    private void requireConsole(JavaProcess dev) {
        Matcher console = CONSOLE.matcher(dev.output());
        assertThat(console.find()).as(dev.output()).isTrue();
        String address = console.group(1);
        Awaitility.await("the lane and the job on the console's pages")
                .atMost(SHOWN_MAX)
                .untilAsserted(() -> {
                    assertThat(page(address))
                            .contains(name() + "@main/default</a>", "not signed by a trusted key: 0.")
                            .doesNotContain("class=\"trouble\"");
                    assertThat(page(address + "books"))
                            .contains("<th scope=\"row\">RUNNING</th><td class=\"number\">0</td>");
                });
    }

    private static String page(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    /** Two starts and two orderly ends. */
    @Test
    @Tag("full")
    void theSecondStartGoesOnFromWhatTheFirstLearnedOfAPretrainedModel() throws Exception {
        Optional<Path> found = PretrainedModel.find();
        Assumptions.assumeTrue(found.isPresent(), "no pretrained model beside the repository");
        model = found.get();
        int served;
        try (JavaProcess dev = start()) {
            requireSharedDrafts(dev);
            end(dev);
            served = JavaProcess.count(dev.output(), SNAPSHOT);
        }
        try (JavaProcess dev = start()) {
            dev.awaitWords(SNAPSHOT, served);
            ask(true);
            assertThat(sharedOfNewest(dev, 3)).isPositive();
            end(dev);
        }
    }

    /** The page's lines as they stand, but for the addresses and where the programs lie. */
    @Test
    @Tag("full")
    void theTutorialsPythonProgramPublishesAnAnswerThatIsDraftedFrom() throws Exception {
        PageCommands page = PageCommands.of("docs/tutorial/dev.md");
        assertThat(page.in("## 1. Start it").commands()).containsExactly("./tailrace dev");
        try (JavaProcess dev = start()) {
            for (String line : page.in("## 2. Answer as another server").commands()) {
                if (line.contains("pip install")) {
                    install(folder, line);
                } else {
                    type(folder, line);
                }
            }
            dev.awaitWords(HEARD, 0);
            String said = Files.readString(folder.resolve("answer.txt"));
            requirePublished(dev, "publish.py", said);
            String again =
                    type(folder, String.join("\n", page.in("## 3. Ask again").commands()));
            assertThat(read(JSON.readTree(again).at("/choices/0/text").textValue()))
                    .isEqualTo(read(said));
            assertThat(sharedOfNewest(dev, 2)).isGreaterThan(TOKENS / 2);
            end(dev);
        }
    }

    @Test
    @Tag("full")
    void theJavaScriptProgramPublishesAnAnswerThatIsDraftedFrom() throws Exception {
        Path programs = folder.resolve("kept");
        try (JavaProcess dev = start()) {
            Matcher so = RUN_SO.matcher(Files.readString(programs.resolve("publish.mjs")));
            assertThat(so.find()).isTrue();
            boolean node = exit(programs, "command -v node npm") == 0;
            if (!node) {
                System.out.println(
                        "NOT RUN: there are no programs 'node' and 'npm' (Debian: apt-get install nodejs npm)");
            }
            Assumptions.assumeTrue(node, "no programs 'node' and 'npm'");
            install(programs, so.group(1));
            String said = ask(false);
            Files.writeString(programs.resolve("answer.txt"), said);
            type(programs, "%s \"%s\" \"$(cat answer.txt)\"".formatted(so.group(2), PROMPT));
            dev.awaitWords(HEARD, 0);
            requirePublished(dev, "publish.mjs", said);
            assertThat(ask(true)).isEqualTo(said);
            assertThat(sharedOfNewest(dev, 2)).isGreaterThan(TOKENS / 2);
            end(dev);
        }
    }

    /** The job admits it, and a version holds it. */
    private void requirePublished(JavaProcess dev, String producer, String answer) throws Exception {
        String bootstrap = "127.0.0.1:" + ports[1];
        List<Generation> published = new TopicReader(bootstrap)
                .read(Topic.GENERATIONS, RecordCodec.GENERATION).stream()
                        .filter(generation -> generation.getProducer().equals(producer))
                        .toList();
        assertThat(published).hasSize(1);
        assertThat(published.get(0).getResponse()).isEqualTo(tokens(read(answer), false));
        dev.awaitWords(SNAPSHOT, 0);
        StringWriter said = new StringWriter();
        int exit = Tailrace.commandLine()
                .setOut(new PrintWriter(said))
                .execute("generation", published.get(0).getRequestId(), "--bootstrap", bootstrap);
        assertThat(exit).as("%s", said).isEqualTo(ExitCodes.DONE);
        assertThat(said.toString()).contains(published.get(0).getRequestId() + ": accepted");
    }

    /** As a shell reads it from a file. */
    private static String read(String text) {
        return text.replaceAll("\\n+$", "");
    }

    /** Without its registry a program has no packages, and nothing of it can be said. */
    private void install(Path where, String line) throws IOException, InterruptedException {
        if (exit(where, line) != 0) {
            String said = typed(where);
            boolean reached = !UNREACHED.matcher(said).find();
            if (!reached) {
                System.out.printf("NOT RUN: '%s' does not reach its registry: %s%n", line, said);
            }
            Assumptions.assumeTrue(reached, line + " does not reach its registry");
            throw new AssertionError(line + ": " + said);
        }
    }

    private String type(Path where, String line) throws IOException, InterruptedException {
        assertThat(exit(where, line)).as("%s: %s", line, typed(where)).isZero();
        return typed(where);
    }

    /** In a shell, with the test's own addresses and folder in the line. */
    private int exit(Path where, String line) throws IOException, InterruptedException {
        String here = line.replace("127.0.0.1:8000", "127.0.0.1:" + ports[0])
                .replace(".tailrace/dev/small-llama", folder.resolve("kept").toString());
        Process shell = new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", here)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(where.resolve(TYPED).toFile())
                .start();
        if (!shell.waitFor(TYPED_SECONDS_MAX, TimeUnit.SECONDS)) {
            shell.destroyForcibly();
            throw new AssertionError("%s does not end: %s".formatted(line, typed(where)));
        }
        return shell.exitValue();
    }

    private static String typed(Path where) throws IOException {
        return Files.readString(where.resolve(TYPED));
    }

    /** Returns what was said twice. */
    private String requireSharedDrafts(JavaProcess dev) throws Exception {
        String said = ask(false);
        assertThat(sharedOfNewest(dev, 1)).isZero();
        publish(tokens(PROMPT, true), tokens(said, false));
        dev.awaitWords(HEARD, 0);
        assertThat(ask(true)).isEqualTo(said);
        assertThat(sharedOfNewest(dev, 2)).isGreaterThan(TOKENS / 2);
        return said;
    }

    private JavaProcess start() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("dev", "--device", "cpu"));
        if (model != null) {
            arguments.addAll(List.of("--model", model.toString()));
        }
        arguments.addAll(List.of("--port", "" + ports[0], "--kafka-port", "" + ports[1]));
        arguments.addAll(List.of(
                "--dashboard-port",
                "" + ports[2],
                "--folder",
                folder.resolve("kept").toString()));
        Path output = folder.resolve("dev.out");
        int before = Files.exists(output) ? JavaProcess.count(Files.readString(output), UP) : 0;
        JavaProcess dev = JavaProcess.start(folder, "dev", "256m", AS_THE_LAUNCHER, Tailrace.class, arguments);
        dev.awaitWords(UP, before);
        return dev;
    }

    private String name() {
        return model == null ? "small-llama" : model.getFileName().toString();
    }

    private static void end(JavaProcess dev) {
        int before = JavaProcess.count(dev.output(), ENDED);
        dev.terminate();
        dev.awaitEnd();
        assertThat(JavaProcess.count(dev.output(), ENDED)).isEqualTo(before + 1);
        assertThat(dev.output()).doesNotContain("not everything closed");
    }

    /** Accepted tokens from shared answers, as the line of the answer of that number since the first start says. */
    private static int sharedOfNewest(JavaProcess dev, int lines) {
        List<Integer> shared = new ArrayList<>();
        Awaitility.await("a line about answer " + lines).atMost(SHOWN_MAX).until(() -> {
            shared.clear();
            Matcher line = ANSWER.matcher(dev.output());
            while (line.find()) {
                assertThat(line.group(1)).isEqualTo("" + TOKENS);
                shared.add(Integer.parseInt(line.group(2)));
            }
            return shared.size() == lines;
        });
        return shared.get(lines - 1);
    }

    private String ask(boolean kept) throws Exception {
        JsonNode answer = post(
                "/v1/completions",
                Map.of(
                        "model", name(),
                        "prompt", PROMPT,
                        "max_tokens", TOKENS,
                        "temperature", 0,
                        "store", kept));
        return answer.get("choices").get(0).get("text").textValue();
    }

    private List<Integer> tokens(String text, boolean special) throws Exception {
        List<Integer> ids = new ArrayList<>();
        post("/tokenize", Map.of("prompt", text, "add_special_tokens", special))
                .get("tokens")
                .forEach(id -> ids.add(id.intValue()));
        return ids;
    }

    private JsonNode post(String path, Map<String, ?> body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports[0] + path))
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        return JSON.readTree(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body());
    }

    private void publish(List<Integer> prompt, List<Integer> answer) throws Exception {
        Generation generation = Generation.newBuilder()
                .setRequestId("another-1")
                .setLane(new Lane(name(), "main", "default"))
                .setProducer("another")
                .setPrompt(prompt)
                .setResponse(answer)
                .setStartedAt(Instant.now().minusMillis(500))
                .setCompletedAt(Instant.now())
                .setTemperature(0f)
                .build();
        Map<String, Object> settings = Map.of("bootstrap.servers", "127.0.0.1:" + ports[1], "acks", "all");
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            "generations", generation.getRequestId(), RecordCodec.GENERATION.encode(generation)))
                    .get();
        }
    }
}
