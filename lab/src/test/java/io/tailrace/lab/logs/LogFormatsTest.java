package io.tailrace.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.lab.recorded.RecordedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What whoever wrote a log means by its records. */
class LogFormatsTest extends LogReading {
    @Test
    void callsOfOpenAisApi() throws IOException {
        assertBoth(read(logs(), write("calls.jsonl.gz", LogExamples.openai())));
        assertThat(told).singleElement().asString().contains("calls.jsonl.gz: openai, JSON lines in gzip; 2 requests");
    }

    @Test
    void requestsAndAnswersInLinesOfTheirOwn() throws IOException {
        assertBoth(read(logs(), write("lines.jsonl.zst", LogExamples.openaiLines())));
        assertThat(told).singleElement().asString().contains("openai, JSON lines in zstd; 2 requests, 2 passed over");
    }

    @Test
    void theTwoFilesOfABatchInTheOrderOfTheAnswers() throws IOException {
        Logs logs = logs();
        assertThat(read(logs, write("batch.jsonl", LogExamples.batchRequests())))
                .isEmpty();
        List<RecordedRequest> answered = read(logs, write("answers.jsonl", LogExamples.batchResponses()));
        assertBoth(answered);
        assertThat(told.get(1)).contains("1 passed over (failed; first: line 2)");
        assertThat(logs.unanswered()).isEmpty();
    }

    @Test
    void requestsThatNeverFindTheirResponseAreToldWithTheFirst() throws IOException {
        Logs logs = logs();
        List<String> lines = LogExamples.openaiLines().lines().toList();
        Path file = write("lost.jsonl", String.join("\n", lines.get(2), lines.get(0), lines.get(1), lines.get(2)));
        assertThat(read(logs, file)).hasSize(1);
        assertThat(bad).singleElement().asString().contains(file + ":1");
        assertThat(logs.unanswered())
                .contains("requests that never found their response: 1; first: %s:3".formatted(file));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{'conversations':[]},{'id':'x'},{'id':'y'}] | 2 passed over (no conversations; first: record 2)",
                "{'traceId':'t','input':'a','output':'b'}~~{'traceId':'t','input':'a','output':null} | 1 passed over (nothing answered; first: line 3)",
                "{'messages':[{'role':'user','content':'a'}]} | 1 passed over (nothing answered; first: line 1)",
                "{'request':{'prompt':'a'},'response':null,'error':'timeout'} | 1 passed over (failed; first: line 1)",
                "{'id':'q','request':{'prompt':'a'},'response':null,'error':'timeout'} | 1 passed over (failed; first: line 1)",
                "{'request':{'prompt':'a'},'response':{'error':'timeout'}} | 1 passed over (failed; first: line 1)",
                "{'request':{'prompt':'a'},'response':{'detail':'Internal'}} | 1 passed over (failed; first: line 1)",
                "{'request':{'prompt':'a'},'response':{'status_code':200,'body':{'object':'error','message':'m'}}} | 1 passed over (failed; first: line 1)",
                "{'request':{'prompt':'a'},'response':{'choices':[]}} | 1 passed over (nothing answered; first: line 1)",
                "{'traceId':'t','input':'a','output':{'choices':[]}} | 1 passed over (nothing answered; first: line 1)",
                "{'prompt':'a','completion':'b'}~{'prompt':'a','completion':''} | 1 passed over (nothing answered; first: line 2)",
            })
    void whatIsPassedOverIsToldWithTheFirst(String log, String passed) throws IOException {
        read(logs(), write("passed.log", log.replace('\'', '"').replace('~', '\n')));
        assertThat(told).singleElement().asString().contains(passed);
    }

    /** An object is the API's; JSON that was answered is a text. */
    @Test
    void aResponseThatIsNoneOfTheApisIsNamed() throws IOException {
        String call = "{\"request\":{\"prompt\":\"a\"},\"error\":\"\",\"response\":%s}";
        Path other = write("other.jsonl", call.formatted("{\"rain\":true}"));
        assertThatThrownBy(() -> strict(other))
                .hasMessage(other + ":1: the response holds choices or a message, got fields [rain];"
                        + " log the response as the API answers, or give --skip-bad-lines");
        Path text = write("text.jsonl", call.formatted("\"{\\\"rain\\\":true}\""));
        assertThat(read(logs(), text).get(0).response()).isEqualTo(tokenizer.encode("{\"rain\":true}", false));
    }

    @Test
    void anAnswerWithoutItsRequestIsNamed() throws IOException {
        Path file = write("orphans.jsonl", LogExamples.batchResponses());
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file + ":1")
                .hasMessageContaining("no request with id r1")
                .hasMessageContaining("--input REQUESTS RESPONSES");
    }

    @Test
    void conversationsGiveARequestForEachAnswer() throws IOException {
        List<RecordedRequest> turns = read(logs(), write("talk.jsonl", LogExamples.conversation()));
        assertBoth(turns);
        assertThat(turns).extracting(RecordedRequest::id).containsExactly("talk/1", "talk/2");
        assertThat(turns).extracting(RecordedRequest::session).containsExactly("talk", "talk");
    }

    @Test
    void shareGptAsAnArrayOverManyLines() throws IOException {
        assertBoth(read(logs(), write("sharegpt.json", LogExamples.shareGpt())));
        assertThat(told).singleElement().asString().contains("sharegpt, JSON; 2 requests, 1 passed over");
    }

    @Test
    void liteLlmsPayloadsInTheOrderOfTheirTimes() throws IOException {
        List<RecordedRequest> calls = read(logs(), write("litellm.jsonl", LogExamples.liteLlm()));
        assertBoth(calls);
        assertThat(calls).extracting(RecordedRequest::session).containsOnly("t");
        assertThat(told).singleElement().asString().contains("litellm", "1 passed over (failed; first: line 1)");
    }

    @Test
    void liteLlmsSpendLogsAndWhatItsCallbacksAreGiven() throws IOException {
        List<RecordedRequest> spent = read(logs(), write("spend.csv", LogExamples.liteLlmSpendLogs()));
        assertBoth(spent);
        assertThat(spent).extracting(RecordedRequest::id).containsExactly("x1", "x2");
        assertThat(spent).extracting(RecordedRequest::session).containsOnly("s1");
        List<RecordedRequest> called = read(logs(), write("callbacks.jsonl", LogExamples.liteLlmCallbacks()));
        assertBoth(called);
        assertThat(called).extracting(RecordedRequest::session).containsOnly("t");
        assertThat(told)
                .allSatisfy(each -> assertThat(each).contains("litellm, ", "1 passed over (failed; first: line "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'messages':'Hi','response':{}} | one without | store_prompts_in_spend_logs",
                "{'messages':{},'response':'Yes','proxy_server_request':{}} | one without | store_prompts_in_spend_logs",
                "{'messages':'a... (litellm_truncated skipped 17 chars. More) ...b','response':'Yes'} | one that LiteLLM shortened | MAX_STRING_LENGTH_PROMPT_IN_DB",
                "{'messages':'Hi','response':{'content':'a... (truncated 17 chars)'}} | one that LiteLLM shortened | MAX_STRING_LENGTH_PROMPT_IN_DB",
                "{'messages':[{'role':'user','content':'redacted-by-litellm'}],'response':'Yes'} | one that LiteLLM redacted | turn_off_message_logging"
            })
    void aCallThatLiteLlmDidNotKeepWholeIsNamed(String call, String got, String remedy) throws IOException {
        Path file = write(
                "partly.jsonl", call.replace('\'', '"').replace("{\"messages", "{\"call_type\":\"c\",\"messages"));
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file + ":1")
                .hasMessageContaining(got)
                .hasMessageContaining(remedy);
    }

    /** Read as what it is recognised as, it would be sorted by time. */
    @Test
    void aFormatThatIsGivenCountsAgainstWhatIsRecognised() throws IOException {
        Path file = write("given.jsonl", LogExamples.liteLlm());
        assertThat(read(new Logs(LogFormat.named("openai"), Map.of(), known()), file))
                .extracting(RecordedRequest::id)
                .containsExactly("x2", "x1");
        assertThat(read(logs(), file)).extracting(RecordedRequest::id).containsExactly("x1", "x2");
        assertThat(told.get(0)).contains("openai, JSON lines");
        assertThat(told.get(1)).contains("litellm, JSON lines");
    }

    @Test
    void langfusesObservationsFromJsonAndFromATable() throws IOException {
        List<RecordedRequest> json = read(logs(), write("langfuse.jsonl", LogExamples.langfuse()));
        assertBoth(json);
        assertThat(json).extracting(RecordedRequest::workload).containsOnly("weather");
        assertBoth(read(
                logs(),
                write(
                        "page.json",
                        "{\"data\":[%s],\"meta\":{\"page\":1}}"
                                .formatted(LogExamples.langfuse().strip().replace("\n", ",\n")))));
        assertBoth(read(logs(), write("langfuse.csv", LogExamples.langfuseCsv())));
        assertThat(told.get(0)).contains("1 passed over (type SPAN; first: line 2)");
        assertThat(told.get(2)).contains("langfuse, CSV");
    }

    /** As Langfuse's API answers, on one line each. */
    @Test
    void pagesOfObservations() throws IOException {
        String page = "{\"data\":[%s],\"meta\":{\"page\":1}}\n"
                .formatted(LogExamples.langfuse().strip().replace("\n", ","));
        assertBoth(read(logs(), write("page.json", page)));
        assertThat(told.get(0)).contains("langfuse, JSON; 2 requests", "first: record 2");
        assertThat(read(logs(), write("pages.jsonl", page + page))).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'data':[{'prompt':'a'}]}", "{'data':[],'object':'list'}", "{'data':[1],'meta':{}}"})
    void whatHasDataIsNoPage(String log) throws IOException {
        Path file = write("data.jsonl", log.replace('\'', '"'));
        assertThatThrownBy(() -> strict(file)).hasMessageContaining("got fields [data");
    }

    @Test
    void anAnswerThatCallsAToolIsSpelledByTheTemplate() throws IOException {
        String answer =
                "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":"
                        + "{\"name\":\"look\",\"arguments\":\"{\\\"at\\\": \\\"sky\\\"}\"}}]}";
        String line =
                "{\"request\":{\"messages\":%s},\"response\":{\"choices\":[{\"message\":%s,\"finish_reason\":\"tool_calls\"}]}}\n"
                        .formatted(LogExamples.MESSAGES_1, answer);
        assertThat(read(logs(), write("tools.jsonl", line)).get(0).response())
                .isEqualTo(tokenizer.encode("<call>look{\"at\": \"sky\"}<|im_end|>", false));
    }

    /** A call of a tool, what it said, and the answer; as one conversation, and as two calls in three formats. */
    @ParameterizedTest
    @ValueSource(strings = {"conversation", "openai", "litellm", "langfuse"})
    void aToolsCallAndWhatItSaidKeepTheirOrder(String form) throws IOException {
        List<RecordedRequest> read = read(logs(), write("chain-" + form + ".jsonl", LogExamples.chain(form)));
        assertThat(bad).isEmpty();
        String tools = "<tools>[{\"type\": \"function\", \"function\": {\"name\": \"look\"}}]\n";
        String asked = tools + LogExamples.ASKED_1;
        String called = "<call>look{\"at\": \"sky\", \"for\": 2}<|im_end|>";
        String next = asked + called + "\n<|im_start|>tool\nblue<|im_end|>\n<|im_start|>assistant\n";
        assertThat(read).hasSize(2);
        assertThat(read.get(0).prompt()).isEqualTo(tokenizer.encode(asked, false));
        assertThat(read.get(0).response()).isEqualTo(tokenizer.encode(called, false));
        assertThat(read.get(1).prompt()).isEqualTo(tokenizer.encode(next, false));
        assertThat(read.get(1).response()).isEqualTo(tokenizer.encode(LogExamples.SAID_2, false));
        assertThat(told).singleElement().asString().contains(form.equals("conversation") ? "openai" : form);
    }

    @Test
    void anAnswerThatWasCutOffHasNoEnd() throws IOException {
        String cut = LogExamples.openai().replace("\"finish_reason\":\"stop\"", "\"finish_reason\":\"length\"");
        assertThat(read(logs(), write("cut.jsonl", cut)).get(1).response()).isEqualTo(tokenizer.encode("Yes.", false));
    }

    @Test
    void anAnswerThatIsJsonStaysText() throws IOException {
        String line = "{\"prompt\":\"Say it.\",\"completion\":\"{\\\"rain\\\": true}\"}\n";
        assertThat(read(logs(), write("json.jsonl", line)).get(0).response())
                .isEqualTo(tokenizer.encode("{\"rain\": true}", false));
    }

    @Test
    void textWithoutATokenizerAndChatsWithoutATemplateSayWhatToGive() throws IOException {
        Path file = write("bare.jsonl", LogExamples.openai());
        Logs without = new Logs(null, Map.of(), new LogTokenizer(Optional.empty(), Optional.empty()));
        Logs bare = new Logs(null, Map.of(), new LogTokenizer(Optional.of(tokenizer), Optional.empty()));
        assertThatThrownBy(() -> read(without, file))
                .hasMessageContaining(file + ":1")
                .hasMessageContaining("--tokenizer FOLDER");
        assertThatThrownBy(() -> read(bare, file))
                .hasMessageContaining(file + ":1")
                .hasMessageContaining("--chat-template FILE");
        assertThat(bad).isEmpty();
    }

    /** Taken for JSON that was answered, it would be replayed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'object':'response','output':[{'type':'message'}]} | an answer of the Responses API",
                "{'request':{'input':'Hi'},'response':{'object':'response','output':[]}} | an answer of the Responses API",
                "{'custom_id':'a','response':{'status_code':200,'body':{'object':'response'}}} | an answer of the Responses API",
                "{'call_type':'aresponses','messages':'Hi','response':{'object':'response'}} | an answer of the Responses API",
                "{'input':'Hi','output':{'object':'response'},'traceId':'t'} | an answer of the Responses API",
                "{'prompt':'Hi','response':{'object':'response'}} | an answer of the Responses API",
                "{'id':'1','object':'chat.completion.chunk','choices':[{'delta':{'content':'a'}}]} | a chunk of a stream (chat.completion.chunk)",
                "{'request':{'prompt':'Hi'},'response':{'choices':[{'delta':{'content':'a'}}]}} | a chunk of a stream",
                "{'request':{'prompt':'Hi'},'response':{'object':'text_completion','choices':[{'text':'a','finish_reason':null}]}} | a chunk of a stream",
                "data: {'id':'1','object':'chat.completion.chunk'} | a stream of server-sent events"
            })
    void whatIsNoWholeAnswerOfAChatOrACompletionIsRefusedByName(String line, String got) throws IOException {
        Path file = write("unread.jsonl", line.replace('\'', '"') + "\n");
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(got);
    }
}
