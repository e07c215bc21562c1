package io.tailrace.worker.jinja;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Against Python's own Jinja: the same text for the same template and values, or both refuse. */
@Tag("full")
@EnabledIf(
        value = "isPythonHere",
        disabledReason = "no Python with jinja2: tailrace bench engine makes an environment with it")
class PythonsJinjaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SEED = Long.getLong("tailrace.test.seed", 20_261_125L);
    private static final int TEMPLATES = Integer.getInteger("tailrace.test.templates", 4_000);

    /** Generators and methods are printed with where they lie in memory; filters may have been there since. */
    private static final Pattern ADDRESS = Pattern.compile("(?i) [ab]t 0x");

    /** What is refused by name is never another text. */
    private static final String LEFT_OUT = "for chat templates";

    private static int leftOut;
    private static Process python;
    private static BufferedWriter questions;
    private static BufferedReader answers;

    static boolean isPythonHere() {
        return environment().isPresent();
    }

    private static Optional<Path> environment() {
        Path cache = Path.of(System.getProperty("user.home"), ".cache", "tailrace");
        if (!Files.isDirectory(cache)) {
            return Optional.empty();
        }
        try (Stream<Path> folders = Files.list(cache)) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith("engine-"))
                    .filter(folder -> Files.isExecutable(folder.resolve("bin/python")))
                    .max(Path::compareTo);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    static void startPython() throws Exception {
        Path script = Path.of(PythonsJinjaTest.class.getResource("oracle.py").toURI());
        python = new ProcessBuilder(
                        environment().orElseThrow().resolve("bin/python").toString(), "-X", "utf8", script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        questions = new BufferedWriter(new OutputStreamWriter(python.getOutputStream(), StandardCharsets.UTF_8));
        answers = new BufferedReader(new InputStreamReader(python.getInputStream(), StandardCharsets.UTF_8));
    }

    @AfterAll
    static void stopPython() throws Exception {
        if (python != null) {
            questions.close();
            python.waitFor();
        }
    }

    @Test
    void templatesByChance() throws IOException {
        List<String> wrong = new ArrayList<>();
        leftOut = 0;
        int texts = 0;
        for (int i = 0; i < TEMPLATES; i++) {
            RandomTemplates random = new RandomTemplates(SEED + i);
            String template = random.template();
            JsonNode theirs = compare("seed " + (SEED + i), template, random.context(), wrong);
            texts += theirs.has("text") ? 1 : 0;
        }
        System.out.printf(
                "%d templates from seed %d: %d texts, %d differ, %d ask for what is left out%n",
                TEMPLATES, SEED, texts, wrong.size(), leftOut);
        assertThat(wrong).isEmpty();
        assertThat(texts).isGreaterThan(TEMPLATES / 4);
        assertThat(leftOut).isLessThan(TEMPLATES / 100);
    }

    @Test
    void templatesThatComeWithVllm() throws IOException {
        List<String> wrong = new ArrayList<>();
        leftOut = 0;
        Path lib = environment().orElseThrow().resolve("lib");
        try (Stream<Path> files = Files.walk(lib)) {
            for (Path file : files.filter(PythonsJinjaTest::isTemplate).sorted().toList()) {
                for (Map<String, Object> talk : talks()) {
                    compare(file.getFileName().toString(), Files.readString(file), talk, wrong);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(leftOut).isZero();
    }

    private static boolean isTemplate(Path file) {
        return file.toString().endsWith(".jinja")
                && file.getParent().endsWith(Path.of("vllm", "transformers_utils", "chat_templates"));
    }

    private static List<Map<String, Object>> talks() throws IOException {
        Map<String, Object> whole = SnippetsTest.recorded().context();
        Object question = Map.of("role", "user", "content", " Who? ");
        Object answer = Map.of("role", "assistant", "content", "<think>hm</think>\n\nAnn.\n");
        List<Map<String, Object>> talks = new ArrayList<>(List.of(whole));
        for (Object messages : List.of(List.of(question), List.of(question, answer, question), List.of(answer))) {
            for (boolean answerNext : new boolean[] {true, false}) {
                Map<String, Object> talk = new HashMap<>(whole);
                talk.put("messages", messages);
                talk.put("tools", null);
                talk.put("add_generation_prompt", answerNext);
                talks.add(talk);
            }
        }
        return talks;
    }

    /** What Python says; where ours is otherwise, a line more is wrong. */
    private static JsonNode compare(String name, String template, Map<String, Object> context, List<String> wrong)
            throws IOException {
        questions.write(JSON.writeValueAsString(Map.of("template", template, "context", context)));
        questions.newLine();
        questions.flush();
        JsonNode theirs = JSON.readTree(answers.readLine());
        String ours = null;
        String refused = null;
        try {
            ours = Template.parse(template).render(context, Map.of("strftime_now", pattern -> "26 Jul 2024"));
        } catch (JinjaException e) {
            refused = e.getMessage();
        }
        boolean same = theirs.has("text") ? theirs.get("text").asText().equals(ours) : ours == null;
        if (refused != null && refused.contains(LEFT_OUT)) {
            leftOut += same ? 0 : 1;
            return theirs;
        }
        boolean address = ADDRESS.matcher(theirs.path("text").asText()).find();
        if (!same && !address) {
            wrong.add("%s: %s%n  values %s%n  theirs %s%n  ours   %s"
                    .formatted(
                            name,
                            JSON.writeValueAsString(template),
                            JSON.writeValueAsString(context),
                            theirs,
                            ours == null ? refused : JSON.writeValueAsString(ours)));
        }
        return theirs;
    }
}
