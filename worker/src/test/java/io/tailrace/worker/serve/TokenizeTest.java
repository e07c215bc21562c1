package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LetterTokenizer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code POST /tokenize} answers. */
class TokenizeTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theIdsAreThoseThatACompletionWouldBegin(boolean special) throws Exception {
        try (TestWorker worker = start(EndpointOptions.defaults())) {
            JsonNode answer = JSON.readTree(worker.post(
                            "/tokenize",
                            "{\"model\":\"letters\",\"prompt\":\"once more\",\"add_special_tokens\":%b}"
                                    .formatted(special))
                    .body());
            int[] expected = new LetterTokenizer().encode("once more", special);
            assertThat(ids(answer)).containsExactly(expected);
            assertThat(answer.get("count").intValue()).isEqualTo(expected.length);
            assertThat(answer.get("max_model_len").intValue()).isEqualTo(256);
        }
    }

    @Test
    void anEmptyTextHasAListWithoutIds() throws Exception {
        try (TestWorker worker = start(EndpointOptions.defaults())) {
            HttpResponse<String> answer = worker.post("/tokenize", "{\"prompt\":\"\",\"add_special_tokens\":false}");
            assertThat(answer.body()).contains("\"count\":0", "\"tokens\":[]");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | 400 | prompt must be given",
                "{'prompt':[1]} | 400 | prompt must be a text",
                "{'prompt':'a','model':'b'} | 404 | is not served here",
                "{'prompt':'a','messages':[]} | 400 | messages is not supported",
                "{'prompt':'a','add_special_tokens':1} | 400 | must be true or false",
                "[] | 400 | must be a JSON object"
            })
    void whatCannotBeUnderstoodIsRefused(String body, int status, String why) throws Exception {
        try (TestWorker worker = start(EndpointOptions.defaults())) {
            HttpResponse<String> answer = worker.post("/tokenize", body.replace('\'', '"'));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
            assertThat(answer.body()).contains(why);
        }
    }

    @Test
    void whoHasNoKeyIsToldNothing() throws Exception {
        try (TestWorker worker = start(EndpointOptions.defaults().withKeys(Map.of("key", "scope")))) {
            assertThat(worker.post("/tokenize", "{\"prompt\":\"a\"}").statusCode())
                    .isEqualTo(401);
        }
    }

    private TestWorker start(EndpointOptions options) throws Exception {
        return TestWorker.start(folder, TestWorker.repeating(), options, worker -> worker);
    }

    private static int[] ids(JsonNode answer) {
        JsonNode tokens = answer.get("tokens");
        return IntStream.range(0, tokens.size())
                .map(place -> tokens.get(place).intValue())
                .toArray();
    }
}
