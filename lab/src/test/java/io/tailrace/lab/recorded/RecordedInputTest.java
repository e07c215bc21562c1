package io.tailrace.lab.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedInputTest {
    private static final RecordedInputOptions OPTIONS = RecordedInputOptions.of(100);

    @TempDir
    Path folder;

    @Test
    void readsPlainAndCompressedFilesOneAfterTheOther() throws IOException {
        Path plain = write("chat.jsonl", "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3]}");
        Path packed = folder.resolve("sql.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(
                    "{\"id\":\"b\",\"workload\":\"w\",\"scope\":\"s\",\"session\":\"x\",\"prompt\":[],\"response\":[4]}\r\n\n"
                            .getBytes(StandardCharsets.UTF_8));
        }
        List<RecordedRequest> requests = read(plain, packed);
        assertThat(requests).extracting(RecordedRequest::id).containsExactly("a", "b");
        assertThat(requests).extracting(RecordedRequest::workload).containsExactly("chat", "w");
        assertThat(requests).extracting(RecordedRequest::scope).containsExactly("default", "s");
        assertThat(requests.get(1).session()).isEqualTo("x");
        assertThat(requests.get(1).position()).isEqualTo(new RecordedRequest.Position(packed, 1));
    }

    @Test
    void ignoresUnknownFieldsOfAnyShape() throws IOException {
        Path file = write("a.jsonl", "{\"seq\":7,\"db\":{\"x\":[[1]]},\"id\":\"a\",\"response\":[1],\"cat\":null}");
        assertThat(read(file)).hasSize(1);
    }

    @Test
    void goesOnFromTheParentsPromptAndResponse() throws IOException {
        Path file = write(
                "a.jsonl",
                "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3,4]}",
                "{\"id\":\"b\",\"parent\":\"a\",\"prompt\":[5],\"response\":[6]}",
                "{\"id\":\"c\",\"parent\":\"b\",\"prompt\":[7],\"response\":[8]}",
                "{\"id\":\"d\",\"parent\":\"a\",\"prompt\":[9],\"response\":[1]}");
        List<RecordedRequest> requests = read(file);
        assertThat(requests.get(1).prompt()).containsExactly(1, 2, 3, 4, 5);
        assertThat(requests.get(2).prompt()).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(requests.get(3).prompt()).containsExactly(1, 2, 3, 4, 9);
    }

    @Test
    void cutPromptsAreTheEndOfTheFullOnes() throws IOException {
        long seed = 20260101L;
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        List<List<Integer>> conversations = new ArrayList<>();
        List<List<Integer>> prompts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            int parent = i == 0 || random.nextInt(5) == 0 ? -1 : random.nextInt(i);
            List<Integer> own = randomIds(random, random.nextInt(9));
            List<Integer> response = randomIds(random, 1 + random.nextInt(5));
            List<Integer> prompt = new ArrayList<>(parent < 0 ? List.of() : conversations.get(parent));
            prompt.addAll(own);
            prompts.add(prompt);
            List<Integer> conversation = new ArrayList<>(prompt);
            conversation.addAll(response);
            conversations.add(conversation);
            lines.add("{\"id\":\"%d\",%s\"prompt\":%s,\"response\":%s}"
                    .formatted(i, parent < 0 ? "" : "\"parent\":\"" + parent + "\",", own, response));
        }
        Path file = write("a.jsonl", lines.toArray(String[]::new));
        List<RecordedRequest> requests = new ArrayList<>();
        try (RecordedInput input = RecordedInput.strict(List.of(file), OPTIONS.withPromptTokensMax(12))) {
            input.forEachRemaining(requests::add);
        }
        for (int i = 0; i < requests.size(); i++) {
            List<Integer> full = prompts.get(i);
            int[] end = full.subList(Math.max(0, full.size() - 12), full.size()).stream()
                    .mapToInt(Integer::intValue)
                    .toArray();
            assertThat(requests.get(i).prompt())
                    .as("request %d, seed %d", i, seed)
                    .isEqualTo(end);
            assertThat(requests.get(i).promptTokens()).isEqualTo(full.size());
        }
    }

    @Test
    void forgetsTheChainsUsedLongestAgo() throws IOException {
        RecordedInputOptions small = new RecordedInputOptions(100, "default", 4, 1 << 20, 8);
        Path file = write(
                "a.jsonl",
                "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3,4]}",
                "{\"id\":\"b\",\"prompt\":[1,2],\"response\":[3,4]}",
                "{\"id\":\"c\",\"prompt\":[1,2],\"response\":[3,4]}",
                "{\"id\":\"d\",\"parent\":\"a\",\"prompt\":[1,2],\"response\":[3,4]}");
        try (RecordedInput input = RecordedInput.strict(List.of(file), small)) {
            input.next();
            input.next();
            input.next();
            assertThatThrownBy(input::next).hasMessageContaining("unknown parent 'a'");
        }
    }

    @Test
    void withoutAVocabularyAnyIdThatFitsAnIntIsTaken() throws IOException {
        RecordedInputOptions any = RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED);
        Path file = write(
                "any.jsonl",
                "{\"id\":\"a\",\"prompt\":[0,151935],\"response\":[128009,2147483646]}",
                "{\"id\":\"b\",\"response\":[2147483647]}",
                "{\"id\":\"c\",\"response\":[-1]}");
        List<String> rules = new ArrayList<>();
        try (RecordedInput input = RecordedInput.lenient(List.of(file), any, bad -> rules.add(bad.rule()))) {
            assertThat(input.next().response()).containsExactly(128_009, 2_147_483_646);
            assertThat(input.hasNext()).isFalse();
        }
        assertThat(rules).containsExactly("token ids are below 2147483647", "token ids are not negative");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"prompt":[1],"response":[1]}                         | a request has an id
            {"id":"","response":[1]}                              | a request has an id
            {"id":7,"response":[1]}                               | id is a string
            {"id":"a","scope":"","response":[1]}                  | scope has 1 to 200 characters
            {"id":"a","prompt":[1]}                               | a response has at least one token id
            {"id":"a","response":[]}                              | a response has at least one token id
            {"id":"a","response":[1,-5]}                          | token ids are not negative
            {"id":"a","response":[100]}                           | token ids are below the vocabulary size 100
            {"id":"a","response":[99999999999999999999999]}       | token ids are below the vocabulary size 100
            {"id":"a","prompt":[100],"response":[1]}              | token ids are below the vocabulary size 100
            {"id":"a","response":[1.5]}                           | response holds whole numbers
            {"id":"a","response":["x"]}                           | response holds whole numbers
            {"id":"a","response":"text"}                          | response is an array of token ids
            {"id":"a","parent":"gone","response":[1]}             | a parent stands earlier in the same file
            {"id":"a","response":[1]                              | a line is a JSON object
            {"id":"a","response":[1]} {"id":"b","response":[1]}   | a line holds one JSON object
            [1,2]                                                 | a line is a JSON object
            not json                                              | a line is a JSON object
            {"id":"a","response":[1],"scope":"\\ud800"}            | scope is text
            """)
    void badLineIsNamedWithFileLineRuleAndRemedy(String bad, String rule) throws IOException {
        Path file = write("bad.jsonl", "{\"id\":\"ok\",\"response\":[1]}", bad, "{\"id\":\"z\",\"response\":[2]}");
        try (RecordedInput strict = RecordedInput.strict(List.of(file), OPTIONS)) {
            strict.next();
            RecordedInputException thrown = catchThrowableOfType(RecordedInputException.class, strict::next);
            assertThat(thrown.rule()).startsWith(rule);
            assertThat(thrown.line()).isEqualTo(2);
            assertThat(thrown.file()).isEqualTo(file.toString());
            assertThat(thrown.value()).isNotEmpty();
            assertThat(thrown.remedy()).isNotEmpty();
            assertThat(thrown).hasMessageContaining("bad.jsonl:2: ");
        }
        List<RecordedInputException> heard = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        try (RecordedInput lenient = RecordedInput.lenient(List.of(file), OPTIONS, heard::add)) {
            lenient.forEachRemaining(request -> ids.add(request.id()));
            assertThat(lenient.badLines()).isEqualTo(1);
        }
        assertThat(heard).hasSize(1);
        assertThat(ids).containsExactly("ok", "z");
    }

    @Test
    void lineThatBeginsLikeUtf32IsABadLineAndTheRestIsRead() throws IOException {
        byte[] odd = {0, 0, 0, '{', 'x', 'x', 'x', 'x', '\n'};
        byte[] good = "{\"id\":\"z\",\"response\":[2]}".getBytes(StandardCharsets.UTF_8);
        byte[] both = Arrays.copyOf(odd, odd.length + good.length);
        System.arraycopy(good, 0, both, odd.length, good.length);
        Path file = Files.write(folder.resolve("odd.jsonl"), both);
        List<RecordedInputException> heard = new ArrayList<>();
        try (RecordedInput input = RecordedInput.lenient(List.of(file), OPTIONS, heard::add)) {
            assertThat(input.next().id()).isEqualTo("z");
        }
        assertThat(heard).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("write it in UTF-8"));
    }

    @Test
    void idThatTheTopicWouldNotTakeIsABadLine() throws IOException {
        Path file = write("a.jsonl", "{\"id\":\"" + "x".repeat(201) + "\",\"response\":[1]}");
        try (RecordedInput input = RecordedInput.strict(List.of(file), OPTIONS)) {
            assertThatThrownBy(input::next).hasMessageContaining("id has 1 to 200 characters, got 201 characters");
        }
    }

    @Test
    void lineOverTheLimitIsSkippedToItsEnd() throws IOException {
        RecordedInputOptions narrow = new RecordedInputOptions(100, "default", 10, 40, 100);
        Path file = write(
                "a.jsonl", "{\"id\":\"a\",\"response\":[1]}", "x".repeat(200_000), "{\"id\":\"b\",\"response\":[1]}");
        List<RecordedInputException> heard = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        try (RecordedInput input = RecordedInput.lenient(List.of(file), narrow, heard::add)) {
            input.forEachRemaining(request -> ids.add(request.id()));
        }
        assertThat(ids).containsExactly("a", "b");
        assertThat(heard).singleElement().satisfies(e -> assertThat(e.line()).isEqualTo(2));
    }

    @Test
    void missingFileEndsStrictAndLenientInputAtOnce() {
        Path missing = folder.resolve("missing.jsonl");
        assertThatThrownBy(() -> RecordedInput.strict(List.of(missing), OPTIONS))
                .isInstanceOf(RecordedInputException.class)
                .hasMessageContaining("no such file");
        assertThatThrownBy(() -> RecordedInput.lenient(List.of(missing), OPTIONS, e -> {}))
                .isInstanceOf(RecordedInputException.class);
    }

    @Test
    void gzipThatEndsTooEarlyIsAnError() throws IOException {
        Path packed = folder.resolve("cut.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Random random = new Random(1);
            for (int i = 0; i < 1_000; i++) {
                out.write("{\"id\":\"%d\",\"response\":[%d]}\n"
                        .formatted(i, random.nextInt(100))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] bytes = Files.readAllBytes(packed);
        Files.write(packed, Arrays.copyOf(bytes, bytes.length / 2));
        try (RecordedInput input = RecordedInput.lenient(List.of(packed), OPTIONS, e -> {})) {
            assertThatThrownBy(() -> input.forEachRemaining(r -> {}))
                    .isInstanceOf(RecordedInputException.class)
                    .hasMessageContaining("readable to its end");
        }
    }

    private static List<Integer> randomIds(Random random, int count) {
        return random.ints(count, 0, 100).boxed().toList();
    }

    private List<RecordedRequest> read(Path... files) {
        List<RecordedRequest> requests = new ArrayList<>();
        try (RecordedInput input = RecordedInput.strict(List.of(files), OPTIONS)) {
            input.forEachRemaining(requests::add);
        }
        return requests;
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("\n", lines));
    }
}
