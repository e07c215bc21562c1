package io.tailrace.lab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.cli.Tailrace;
import io.tailrace.testkit.llama.TinyTokenizer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConvertCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path text;

    @BeforeEach
    void writeALogOfChats() throws IOException {
        Files.writeString(folder.resolve("tokenizer.json"), TinyTokenizer.json());
        Files.writeString(
                folder.resolve("chat_template.jinja"),
                "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>' }}{% endfor %}"
                        + "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}");
        text = Files.write(folder.resolve("talks.jsonl"), talks(new Random(7)));
    }

    private static List<String> talks(Random random) {
        List<String> lines = new ArrayList<>();
        for (int talk = 0; talk < 12; talk++) {
            StringBuilder turns = new StringBuilder();
            for (int turn = 0; turn < 3; turn++) {
                turns.append(turn == 0 ? "" : ",")
                        .append("{\"role\":\"user\",\"content\":\"Question %d?\"},".formatted(random.nextInt(5)))
                        .append("{\"role\":\"assistant\",\"content\":\"The answer of the sea is %d and on it goes.\"}"
                                .formatted(random.nextInt(3)));
            }
            lines.add("{\"id\":\"t%d\",\"messages\":[%s]}".formatted(talk, turns));
        }
        return lines;
    }

    @Test
    void figuresOfTextAreThoseOfItsTokenIds() throws IOException {
        assertThat(run("convert --input %s --tokenizer %s --output %s".formatted(text, folder, ids())))
                .isZero();
        assertThat(out.toString()).contains("talks.jsonl: openai, JSON lines; 36 requests", "36 requests as token ids");
        assertThat(figures("--input %s --tokenizer %s".formatted(text, folder)))
                .isEqualTo(figures("--input " + ids()))
                .isNotEmpty();
    }

    @Test
    void aChatTemplateThatWasGivenAndIsNoneIsNamed() throws IOException {
        Path template = Files.writeString(folder.resolve("mine.jinja"), "{% for m in messages %}{{ m.content }");
        assertThat(run("convert --input %s --tokenizer %s --chat-template %s --output %s"
                        .formatted(text, folder, template, ids())))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--chat-template: %s: the chat template cannot be read: line 1".formatted(template));
    }

    @Test
    void turnsOfAConversationNameTheirParentAndOnlyWhatCameNew() throws IOException {
        run("convert --input %s --tokenizer %s --output %s".formatted(text, folder, folder.resolve("plain.jsonl")));
        List<String> lines = Files.readAllLines(folder.resolve("plain.jsonl"));
        JsonNode second = JSON.readTree(lines.get(1));
        assertThat(second.path("parent").asText()).isEqualTo("t0/1");
        assertThat(second.path("prompt").size())
                .isLessThan(JSON.readTree(lines.get(0)).path("prompt").size() + 30);
    }

    @Test
    void whatStopsLeavesNoFileBehind() throws IOException {
        Files.writeString(text, "{\"id\":1");
        assertThat(run("convert --format openai --input %s --tokenizer %s --output %s".formatted(text, folder, ids())))
                .isEqualTo(2);
        assertThat(err.toString()).contains(text + ":1");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.contains("ids")))
                    .isEmpty();
        }
    }

    /** Under its own name, another spelling of it, a symbolic link and a hard link. */
    @Test
    void theLogThatIsReadIsNeverWrittenOver() throws IOException {
        byte[] before = Files.readAllBytes(text);
        Path spelled = folder.resolve("x/../talks.jsonl");
        Files.createDirectory(folder.resolve("x"));
        Path link = Files.createSymbolicLink(folder.resolve("link.jsonl"), text);
        Path hard = Files.createLink(folder.resolve("hard.jsonl"), text);
        for (Path same : List.of(text, spelled, link, hard)) {
            for (String command : List.of("convert --output %s", "replay --json %s", "replay --html %s")) {
                assertThat(run(command.formatted(same) + " --input %s --tokenizer %s".formatted(text, folder)))
                        .as("%s, %s", command, same)
                        .isEqualTo(2);
                assertThat(err.toString()).contains("%s: the same file as the input %s".formatted(same, text));
                err.getBuffer().setLength(0);
            }
        }
        assertThat(text).hasBinaryContent(before);
        assertThat(out.toString()).isEmpty();
    }

    /** Nobody may write in /proc, whoever it is. */
    @ParameterizedTest
    @ValueSource(strings = {"/proc/x", "FOLDER/none/x", "FOLDER"})
    void aFileThatCannotBeWrittenIsRefusedByItsName(String file) {
        String target = file.replace("FOLDER", folder.toString());
        String input = " --input %s --tokenizer %s".formatted(text, folder);
        for (String command : List.of("convert --output", "replay --json", "replay --html")) {
            err.getBuffer().setLength(0);
            assertThat(run(command + " " + target + input)).as(command).isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("tailrace: --")
                    .contains(" " + target + ": ")
                    .doesNotContain("part-");
        }
        assertThat(run("traffic /proc/x")).isEqualTo(2);
        assertThat(err.toString()).contains("FILE /proc/x: no file can be written there; name another");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileThatLooksLikeThePartOfAnOutputIsLeftAlone() throws IOException {
        Path part = Files.copy(text, folder.resolve("part-ids.jsonl.gz"));
        assertThat(run("convert --input %s --tokenizer %s --output %s".formatted(part, folder, ids())))
                .isZero();
        assertThat(part).hasSameBinaryContentAs(text);
        assertThat(out.toString()).contains("36 requests as token ids");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n \n",
                "{'id':'a','request':{'prompt':'b'}}\n",
                "{'messages':[{'role':'user','content':'a'}]}\n",
                "prompt,response\n"
            })
    void aLogWithoutARequestIsRefused(String log) throws IOException {
        Path file = Files.writeString(folder.resolve("none.jsonl"), log.replace('\'', '"'));
        String how = " --input %s --tokenizer %s".formatted(file, folder);
        assertThat(run("convert --output " + ids() + how)).isEqualTo(2);
        assertThat(run("check" + how)).isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(2)
                .allMatch(line ->
                        line.contains(file + ": an input holds at least one request with its answer, got none"));
        assertThat(run("replay --input " + file + how)).isEqualTo(2);
        assertThat(err.toString()).contains(file + ", " + file + ": an input holds at least one request");
        assertThat(ids()).doesNotExist();
    }

    @Test
    void aFormatThatFitsNoRecordIsSaid() {
        assertThat(run("check --format sharegpt --input %s --tokenizer %s".formatted(text, folder)))
                .isEqualTo(2);
        assertThat(out.toString()).contains("0 requests, 12 passed over (no conversations; first: line 1)");
    }

    @Test
    void requestsWithoutAResponseAreSaidAtTheEnd() throws IOException {
        Files.writeString(text, "\n{\"id\":\"a\",\"request\":{\"prompt\":\"b\"}}\n", StandardOpenOption.APPEND);
        assertThat(run("check --input %s --tokenizer %s".formatted(text, folder)))
                .isZero();
        assertThat(out.toString()).contains("requests that never found their response: 1; first: " + text + ":14");
        out.getBuffer().setLength(0);
        assertThat(run("replay --budget 4 --input %s --tokenizer %s".formatted(text, folder)))
                .isZero();
        assertThat(out.toString()).contains("requests that never found their response: 1; first: " + text + ":14");
    }

    @Test
    void checkHoldsRequestsAgainstTheJobsOwnRules() throws IOException {
        assertThat(run("check --input %s --tokenizer %s".formatted(text, folder)))
                .isZero();
        assertThat(out.toString()).contains("36 requests checked, 0 break a rule");
        Path bad = Files.write(
                folder.resolve("bad.jsonl"),
                List.of(
                        "{\"id\":\"a\",\"response\":[1,2]}",
                        "{\"id\":\"b\",\"response\":[1,320]}",
                        "{\"id\":\"c\",\"response\":[]}"));
        assertThat(run("check --vocabulary 320 --input " + bad)).isEqualTo(1);
        assertThat(out.toString()).contains("3 requests checked, 2 break a rule");
        assertThat(err.toString())
                .contains(bad + ":2, request b: TOKEN_OUT_OF_VOCABULARY", "response token 1 of 2", "0 to 319")
                .contains(bad + ":3: a response has at least one token id");
    }

    @Test
    void withoutATokenizerCheckStopsAtOnce() throws IOException {
        assertThat(run("check --skip-bad-lines --input " + text)).isEqualTo(2);
        Files.delete(folder.resolve("chat_template.jinja"));
        assertThat(run("check --input %s --tokenizer %s".formatted(text, folder)))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains(text + ":1", "got no --tokenizer"),
                        line -> assertThat(line).contains(text + ":1", "--chat-template FILE"));
    }

    @Test
    void repeatedIdsAreWrittenWithANumber() throws IOException {
        String longest = "l".repeat(200);
        Path ids = Files.writeString(
                folder.resolve("a.jsonl"),
                "{'id':'x#2','response':[1,2]}\n{'id':'x','response':[1,2]}\n{'id':'%s','response':[1,2]}\n"
                        .formatted(longest)
                        .replace('\'', '"'));
        Path again = Files.copy(ids, folder.resolve("b.jsonl"));
        Path output = folder.resolve("plain.jsonl");
        assertThat(run("convert --input %s %s --output %s".formatted(ids, again, output)))
                .isZero();
        assertThat(out.toString()).contains("6 requests as token ids; repeated ids, now with #2 and up: 3");
        assertThat(JSON.readerFor(JsonNode.class)
                        .<JsonNode>readValues(output.toFile())
                        .readAll())
                .extracting(line -> line.path("id").asText())
                .containsExactly("x#2", "x", longest, "x#2#2", "x#2#3", longest.substring(2) + "#2");
        assertThat(run("check --input " + output)).isZero();
    }

    @Test
    void turnsOfTwoConversationsWithOneIdKeepTheirParents() throws IOException {
        List<String> talks = Files.readAllLines(text);
        Files.write(text, List.of(talks.get(0), talks.get(1).replace("\"t1\"", "\"t0\"")));
        Path output = folder.resolve("plain.jsonl");
        run("convert --input %s --tokenizer %s --output %s".formatted(text, folder, output));
        List<String> lines = Files.readAllLines(output);
        assertThat(JSON.readTree(lines.get(4)).path("parent").asText()).isEqualTo("t0/1#2");
        assertThat(run("check --input " + output)).isZero();
    }

    @Test
    void checkRefusesAnIdThatStandsTwice() throws IOException {
        String line = "{\"id\":\"a\",\"response\":[1,2]}\n";
        Path twice = Files.writeString(folder.resolve("twice.jsonl"), line + line);
        assertThat(run("check --input " + twice)).isEqualTo(1);
        assertThat(out.toString()).contains("2 requests checked, 1 break a rule");
        assertThat(err.toString()).contains(twice + ":2: an id stands once in a file, got 'a' again");
    }

    private Path ids() {
        return folder.resolve("ids.jsonl.gz");
    }

    /** Without what depends on the machine and on the file's name. */
    private List<JsonNode> figures(String inputs) throws IOException {
        Path json = folder.resolve("figures.json");
        assertThat(run("replay %s --budget 8 --json %s".formatted(inputs, json)))
                .isZero();
        List<JsonNode> rows = new ArrayList<>();
        for (JsonNode row : JSON.readTree(json.toFile()).path("pooled")) {
            rows.add(((ObjectNode) row).without("draftMicros"));
        }
        return rows;
    }

    private int run(String arguments) {
        return Tailrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.split(" +"));
    }
}
