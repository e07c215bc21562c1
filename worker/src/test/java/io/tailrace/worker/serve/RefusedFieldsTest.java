package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.EndpointOptions;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would change the answer and is not there is refused; what clients send by habit and changes nothing is let through. */
class RefusedFieldsTest {
    private static final String CHAT =
            "{\"model\":\"letters\",\"max_tokens\":3,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],%s}";
    private static final String PROMPT = "{\"model\":\"letters\",\"max_tokens\":3,\"prompt\":\"once\",%s}";
    private static final String MESSAGE = "{\"model\":\"letters\",\"max_tokens\":3,\"messages\":[%s]}";

    @TempDir
    private static Path folder;

    private static TestWorker worker;

    @BeforeAll
    static void start() throws Exception {
        worker = TestWorker.start(folder, TestWorker.repeating(), EngineOptions.defaults(), EndpointOptions.defaults());
    }

    @AfterAll
    static void stop() {
        worker.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'tools':[{'type':'function'}]",
                "'tool_choice':'auto'",
                "'tool_choice':{'type':'function'}",
                "'function_call':'auto'",
                "'min_tokens':2",
                "'min_p':0.1",
                "'ignore_eos':true",
                "'echo':true",
                "'stop_token_ids':[1]",
                "'allowed_token_ids':[1]",
                "'bad_words':['a']",
                "'guided_choice':['a','b']",
                "'structured_outputs':{'json':{}}",
                "'response_format':{'type':'json_object'}",
                "'use_beam_search':true",
                "'chat_template':'x'",
                "'chat_template_kwargs':{'thinking':true}",
                "'continue_final_message':true",
                "'add_generation_prompt':false",
                "'truncate_prompt_tokens':5",
                "'include_stop_str_in_output':true",
                "'prompt_logprobs':1",
                "'modalities':['text','audio']",
                "'modalities':'audio'"
            })
    void aFieldThatWouldChangeTheAnswerIsRefusedByName(String field) throws Exception {
        String name = field.substring(1, field.indexOf('\'', 1));
        for (HttpResponse<String> answer : both(field)) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("\"param\":\"%s\"".formatted(name), "unsupported_parameter");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'user':'me'",
                "'metadata':{'a':'b'}",
                "'store':false",
                "'service_tier':'auto'",
                "'parallel_tool_calls':true",
                "'tools':[]",
                "'tool_choice':'none'",
                "'logit_bias':{}",
                "'logprobs':false",
                "'ignore_eos':false",
                "'min_tokens':0",
                "'stop_token_ids':[]",
                "'add_generation_prompt':true",
                "'modalities':['text']",
                "'response_format':{'type':'text'}",
                "'guided_choice':null",
                "'n':1,'best_of':1",
                "'top_logprobs':0,'logprobs':null"
            })
    void aFieldThatAsksForNothingIsLetThrough(String field) throws Exception {
        for (HttpResponse<String> answer : both(field)) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'role':'user','content':5}",
                "{'role':'user','content':true}",
                "{'role':'user','content':{'text':'hi'}}",
                "{'role':'user'}",
                "{'role':'user','content':[{'type':'image_url','image_url':{'url':'x'}}]}",
                "{'role':'user','content':[5]}",
                "{'role':'assistant','content':null,'tool_calls':[{'id':'1'}]}",
                "{'role':'tool','content':'4','tool_call_id':'1'}",
                "{'role':'assistant','content':'hi','audio':{'id':'1'}}",
                "'hi'"
            })
    void aMessageThatIsNotTextAloneIsRefused(String message) throws Exception {
        HttpResponse<String> answer = worker.post("/v1/chat/completions", MESSAGE.formatted(quoted(message)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("\"param\":\"messages");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'role':'user','content':'hi'}",
                "{'role':'user','content':'hi','name':'me'}",
                "{'role':'user','content':[{'type':'text','text':'h'},{'type':'text','text':'i'}]}",
                "{'role':'user','content':'hi'},{'role':'assistant','content':null,'refusal':'no','tool_calls':[]}"
            })
    void aMessageOfTextIsUnderstood(String message) throws Exception {
        HttpResponse<String> answer = worker.post("/v1/chat/completions", MESSAGE.formatted(quoted(message)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'model':'letters','messages':[{'role':'user','content':'hi'}],%s}|",
                "{'model':'letters','prompt':'once',%s}|",
                "{'model':'letters','messages':[{'role':'user','content':'a'},{'role':'user','content':'hi',%s}]}|messages[1].",
                "{'model':'letters','messages':[{'role':'user','content':[{'type':'text','text':'a',%s}]}]}|messages[0].content[0].",
                "{'model':'letters','prompt':'once','stream':true,'stream_options':{'include_usage':true,%s}}|stream_options.",
                "{'model':'letters','prompt':'once','tailrace':{%s}}|tailrace."
            })
    void aFieldThatIsNotOnTheListIsRefusedByNameWhereverItStands(String place) throws Exception {
        long seed = 20_261_122;
        SplittableRandom random = new SplittableRandom(seed);
        String body = quoted(place.substring(0, place.indexOf('|')));
        String path = place.substring(place.indexOf('|') + 1);
        for (int i = 0; i < 50; i++) {
            String name = "x_" + Integer.toString(random.nextInt(1 << 30), 36);
            String value = List.of("null", "false", "0", "[]", "{}", "\"auto\"").get(random.nextInt(6));
            String field = "\"%s\":%s".formatted(name, value);
            String endpoint = body.contains("messages") ? "/v1/chat/completions" : "/v1/completions";
            HttpResponse<String> answer = worker.post(endpoint, body.replace("%s", field));
            assertThat(answer.statusCode())
                    .as("seed %d: %s", seed, answer.body())
                    .isEqualTo(400);
            assertThat(answer.body())
                    .contains(
                            "\"param\":\"%s%s\"".formatted(path, name),
                            "unsupported_parameter",
                            "%s%s is not supported".formatted(path, name));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/completions|'messages':[{'role':'user','content':'hi'}]|messages",
                "/v1/completions|'max_completion_tokens':5|max_completion_tokens",
                "/v1/chat/completions|'prompt':'hi'|prompt"
            })
    void aFieldOfTheOtherEndpointIsRefused(String call) throws Exception {
        String[] parts = call.split("\\|", -1);
        String body = parts[0].contains("chat") ? CHAT : PROMPT;
        HttpResponse<String> answer = worker.post(parts[0], body.formatted(quoted(parts[1])));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("\"param\":\"%s\"".formatted(parts[2]), "unsupported_parameter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'stream':'yes'|stream must be true or false, got \\\"yes\\\"",
                "'stream':1|stream must be true or false, got 1",
                "'top_k':1.5|top_k must be a whole number of 32 bits, got 1.5",
                "'top_k':'5'|top_k must be a whole number of 32 bits, got",
                "'top_k':5000000000|top_k must be a whole number of 32 bits, got 5000000000",
                "'seed':1e3|seed must be a whole number of 64 bits, got",
                "'temperature':'hot'|temperature must be a number, got",
                "'temperature':true|temperature must be a number, got true",
                "'stream_options':true|stream_options must be an object, got true",
                "'stream_options':{'include_usage':'x'}|stream_options.include_usage must be true or false, got",
                "'tailrace':[]|tailrace must be an object, got []",
                "'n':0|n must be at least 1, got 0",
                "'n':73|n to each prompt, got 73",
                "'n':1.5|n must be a whole number of 32 bits, got 1.5",
                "'n':2,'best_of':3|best_of must be n, which is 2, got 3",
                "'logprobs':'5'|logprobs must be",
                "'top_logprobs':21|top_logprobs",
                "'stop':5|got 5"
            })
    void aValueOfAnotherKindIsToldWithWhatWasExpectedAndWhatCame(String field) throws Exception {
        String[] parts = field.split("\\|", -1);
        for (HttpResponse<String> answer : both(parts[0])) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains(parts[1]);
        }
    }

    private static List<HttpResponse<String>> both(String field) throws Exception {
        return List.of(
                worker.post("/v1/chat/completions", CHAT.formatted(quoted(field))),
                worker.post("/v1/completions", PROMPT.formatted(quoted(field))));
    }

    private static String quoted(String json) {
        return json.replace('\'', '"');
    }
}
