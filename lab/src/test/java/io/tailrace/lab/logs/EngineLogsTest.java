package io.tailrace.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.lab.recorded.RecordedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What serving engines log of their requests. */
class EngineLogsTest extends LogReading {
    @Test
    void vllmsLogOfRequestsAndAnswers() throws IOException {
        List<RecordedRequest> read = read(logs(), write("vllm.log", LogExamples.vllm()));
        assertThat(read).hasSize(2);
        assertThat(read.get(0).response()).isEqualTo(tokenizer.encode(LogExamples.SAID_1, false));
        assertThat(read.get(1).response()).containsExactly(61, 60);
        assertThat(read.get(1).prompt()).endsWith(tokenizer.encode(LogExamples.ASKED_2, false));
        assertThat(told).singleElement().asString().contains("vllm, log lines; 2 requests");
    }

    @Test
    void vllmsLogWithDetailsOnLinesOfTheirOwn() throws IOException {
        List<RecordedRequest> read = read(logs(), write("details.log", LogExamples.vllmDetails()));
        assertThat(bad).isEmpty();
        assertThat(read).hasSize(3);
        assertThat(read.get(0).response()).isEqualTo(tokenizer.encode(LogExamples.SAID_1, false));
        assertThat(read.get(1).response()).containsExactly(60, 61, 62);
        assertThat(read.get(1).prompt()).endsWith(tokenizer.encode(LogExamples.ASKED_2, false));
        assertThat(read.get(2).response()).containsExactly(7, 8);
        assertThat(read.get(2).prompt()).isEqualTo(read.get(0).prompt());
    }

    @Test
    void aVllmLogWithoutDetailsIsRefusedWithWhatToDo() throws IOException {
        Path file = write(
                "info.log",
                LogExamples.vllmDetails()
                        .lines()
                        .filter(line -> line.contains(" INFO "))
                        .collect(Collectors.joining("\n")));
        assertThatThrownBy(() -> read(logs(), file))
                .hasMessageContaining("info.log:3: an answer stands behind its request")
                .hasMessageContaining("VLLM_LOGGING_LEVEL=DEBUG");
    }

    @Test
    void aVllmPromptOfManyLinesIsReadWhole() throws IOException {
        String line = "it rains \"again\" and again\n";
        String prompt = LogExamples.ASKED_1 + line.repeat(20_000);
        String log = "Received request r-1: prompt: '%s', params: x, prompt_token_ids: None.\n"
                        .formatted(prompt.replace("\n", "\\n"))
                + "Generated response r-1: output: \"It's\", output_token_ids: None, finish_reason: length\n"
                + "Generated response r-2: output: 'x', output_token_ids: [1], finish_reason: stop\n";
        List<RecordedRequest> read = read(logs(), write("long.log", log));
        assertThat(read).singleElement().satisfies(one -> {
            assertThat(one.promptTokens()).isEqualTo(tokenizer.encode(prompt, true).length);
            assertThat(one.response()).isEqualTo(tokenizer.encode("It's", false));
        });
        assertThat(bad).singleElement().asString().contains("long.log:3", "no request r-2");
    }

    @Test
    void sglangsLogOfRequestsThatEnded() throws IOException {
        List<RecordedRequest> read = read(logs(), write("sglang.log", LogExamples.sglang()));
        assertThat(bad).isEmpty();
        assertThat(read).extracting(RecordedRequest::id).containsExactly("r-2", "r-1");
        assertThat(read).extracting(RecordedRequest::session).containsOnly("talk");
        assertThat(read.get(0).prompt()).isEqualTo(tokenizer.encode(LogExamples.ASKED_2, true));
        assertThat(read.get(0).response()).containsExactly(60, 61, 62);
        assertThat(read.get(1).prompt()).containsExactly(5, 6, 7);
        assertThat(told)
                .singleElement()
                .asString()
                .contains("sglang, log lines; 2 requests", "1 passed over (a health");
    }

    @Test
    void sglangsLogWithoutTokenIdsIsTokenised() throws IOException {
        String log = LogExamples.sglang().replaceAll(", 'output_ids': \\[[^]]*]", "");
        assertThat(read(logs(), write("texts.log", log)).get(0).response())
                .isEqualTo(tokenizer.encode("It's (a, 'b' = c}.\n", false));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sglangsLogInJsonWithAndWithoutTheTimeBeforeIt(boolean timed) throws IOException {
        List<RecordedRequest> read = read(logs(), write("sglang-" + timed + ".log", LogExamples.sglangJson(timed)));
        assertThat(bad).isEmpty();
        assertThat(read).hasSize(2);
        assertThat(read.get(0).prompt()).isEqualTo(tokenizer.encode(LogExamples.ASKED_1, true));
        assertThat(read.get(0).response()).isEqualTo(tokenizer.encode(LogExamples.SAID_1, false));
        assertThat(read.get(1).response()).isEqualTo(tokenizer.encode(LogExamples.SAID_2, false));
        assertThat(told)
                .singleElement()
                .asString()
                .contains("sglang, ", "1 passed over (ended with abort; first: line 3)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "text=None, input_ids=[1] | 'output_ids': [1] ... [3], 'meta_info': {} | one that was shortened | --log-requests-level 3",
                "text='a' ... 'b' | 'output_ids': [1], 'meta_info': {} | one that was shortened | --log-requests-level 3",
                "stream=False | 'output_ids': [1], 'meta_info': {} | neither text nor token ids | --log-requests-level 3",
                "text='a' | 'meta_info': {} | neither text nor token ids | --log-requests-level 3",
                "text='a', stream=True | 'output_ids': [1], 'meta_info': {'completion_tokens': 3} | the last 1 of its 3 tokens | --incremental-streaming-output",
                "text='a', image_data=['x'] | 'output_ids': [1], 'meta_info': {} | image_data | --skip-bad-lines",
                "text='a', input_ids=[99999999999] | 'output_ids': [1], 'meta_info': {} | a larger one | remove the line",
                "text='a' | 'output_ids': [1], 'meta_info': {'id': | an end within them | --skip-bad-lines"
            })
    void aLineOfSglangsLogThatIsNotWholeIsNamed(String asked, String out, String got, String remedy)
            throws IOException {
        String half = "x".repeat(1_024);
        String line = "Started\n[2025-05-29 13:46:19 TP0] Finish: obj=GenerateReqInput(rid='r', %s), out={%s}\n"
                .formatted(asked.replace("'a' ... 'b'", "'%s' ... '%s'".formatted(half, half)), out);
        Path file = write("partly.log", got.startsWith("an end") ? line.replace("}\n", "\n") : line);
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file + ":2")
                .hasMessageContaining(got)
                .hasMessageContaining(remedy);
    }

    @Test
    void aLogOfRequestsAloneSaysWhatToStartTheServerWith() throws IOException {
        for (String log : List.of(LogExamples.sglang(), LogExamples.vllm())) {
            Path file = write(
                    "asked.log",
                    log.lines().filter(line -> line.contains(" Receive")).collect(Collectors.joining("\n")));
            assertThatThrownBy(() -> strict(file))
                    .hasMessageContaining(file + ":2: a server's log holds answers")
                    .hasMessageContaining("--enable-log-outputs");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "slot launch_slot_: id  0 | llama.cpp's server",
                "srv  log_server_r: request: POST /v1/chat/completions 127.0.0.1 200 | llama.cpp's server",
                "0.03.123.456 I srv  update_slots: all slots are idle | llama.cpp's server",
                "2024-05-29T13:46:19.963Z  INFO generate{parameters=x}: text_generation_router::server: Success | text-generation-inference",
                "{\"timestamp\":\"2024-05-29T13:46:19Z\",\"level\":\"INFO\",\"target\":\"text_generation_router::server\"} | text-generation-inference"
            })
    void anEngineThatLogsNoAnswersIsRefusedByName(String line, String engine) throws IOException {
        Path file =
                write("engine.log", "build: 1\n" + line.replace("id  0", "id  0 | task 3 | processing task") + "\n");
        assertThatThrownBy(() -> strict(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(engine)
                .hasMessageContaining("LiteLLM");
    }
}
