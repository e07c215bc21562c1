package io.tailrace.lab.logs;

import com.github.luben.zstd.ZstdOutputStream;
import io.tailrace.testkit.llama.TinyTokenizer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** The same two requests in every format, as its public description has it; and a model's folder to read them with. */
final class LogExamples {
    static final String ASKED_1 = "<|im_start|>user\nWill it rain?<|im_end|>\n<|im_start|>assistant\n";
    static final String SAID_1 = "Ask \"again\".<|im_end|>";
    static final String ASKED_2 = ASKED_1 + SAID_1 + "\n<|im_start|>user\nAnd now?<|im_end|>\n<|im_start|>assistant\n";
    static final String SAID_2 = "Yes.<|im_end|>";

    static final String MESSAGES_1 = "[{\"role\":\"user\",\"content\":\"Will it rain?\"}]";
    static final String MESSAGES_2 =
            "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Will it rain?\"}]},"
                    + "{\"role\":\"assistant\",\"content\":\"Ask \\\"again\\\".\",\"tool_calls\":null},{\"role\":\"user\",\"content\":\"And now?\"}]";
    static final String ANSWER_1 = answer("c1", "Ask \\\"again\\\".");
    static final String ANSWER_2 = answer("c2", "Yes.");

    private static final String TEMPLATE = "{% if tools %}{{ '<tools>' + tools | tojson + '\\n' }}{% endif %}"
            + "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content }}"
            + "{% for call in message.tool_calls %}{{ '<call>' + call.function.name + call.function.arguments | tojson }}{% endfor %}"
            + "{{ '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

    private LogExamples() {}

    /** A folder with tokenizer and chat template. */
    static Path model(Path folder) throws IOException {
        Files.writeString(folder.resolve("tokenizer.json"), TinyTokenizer.json());
        Files.writeString(folder.resolve("chat_template.jinja"), TEMPLATE);
        return folder;
    }

    private static String answer(String id, String text) {
        return "{\"id\":\"%s\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"finish_reason\":\"stop\"}]}"
                .formatted(id, text);
    }

    /** OpenAI's API reference: chat completions, request and answer as a client keeps them. */
    static String openai() {
        return "{\"request\":{\"model\":\"m\",\"messages\":%s},\"response\":%s}\n{\"request\":{\"messages\":%s},\"response\":%s}\n"
                .formatted(MESSAGES_1, ANSWER_1, MESSAGES_2, ANSWER_2);
    }

    /** Requests and answers in lines of their own. */
    static String openaiLines() {
        return "{\"request_id\":\"a\",\"request\":{\"messages\":%s}}\n{\"request_id\":\"b\",\"request\":{\"messages\":%s}}\n"
                        .formatted(MESSAGES_1, MESSAGES_2)
                + "{\"request_id\":\"a\",\"response\":%s}\n{\"request_id\":\"b\",\"response\":%s}\n"
                        .formatted(ANSWER_1, ANSWER_2);
    }

    /** OpenAI's API reference: the input of a batch. */
    static String batchRequests() {
        String line =
                "{\"custom_id\":\"%s\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":{\"model\":\"m\",\"messages\":%s}}\n";
        return line.formatted("r1", MESSAGES_1) + line.formatted("r2", MESSAGES_2) + line.formatted("r3", MESSAGES_1);
    }

    /** OpenAI's API reference: the output of a batch, in any order, with a request that failed. */
    static String batchResponses() {
        String line =
                "{\"id\":\"batch_req_%s\",\"custom_id\":\"%s\",\"response\":{\"status_code\":200,\"request_id\":\"q\",\"body\":%s},\"error\":null}\n";
        return line.formatted("1", "r1", ANSWER_1)
                + "{\"id\":\"batch_req_3\",\"custom_id\":\"r3\",\"response\":null,\"error\":{\"code\":\"expired\"}}\n"
                + line.formatted("2", "r2", ANSWER_2);
    }

    /** A conversation whose answers are requests. */
    static String conversation() {
        return "{\"id\":\"talk\",\"messages\":%s,{\"role\":\"assistant\",\"content\":\"Yes.\"}]}\n"
                .formatted(MESSAGES_2.substring(0, MESSAGES_2.length() - 1));
    }

    /** ShareGPT has no description: the fields that published sets of its conversations have. */
    static String shareGpt() {
        return """
                [
                  {
                    "id": "talk",
                    "conversations": [
                      {"from": "human", "value": "Will it rain?"},
                      {"from": "gpt", "value": "Ask \\"again\\"."},
                      {"from": "human", "value": "And now?"},
                      {"from": "gpt", "value": "Yes."}
                    ]
                  },
                  {"id": "silent", "conversations": [{"from": "human", "value": "Hello?"}]}
                ]
                """;
    }

    /** {@code StandardLoggingPayload} in {@code types/utils.py} of LiteLLM 1.110. Later ones first, and one that failed. */
    static String liteLlm() {
        String line =
                "{\"id\":\"%s\",\"trace_id\":\"t\",\"call_type\":\"acompletion\",\"status\":\"%s\",\"startTime\":%s,\"messages\":%s,\"response\":%s}\n";
        return line.formatted("x3", "failure", "1700000030.5", MESSAGES_1, "null")
                + line.formatted("x2", "success", "1700000020.5", MESSAGES_2, ANSWER_2)
                + line.formatted("x1", "success", "1700000010.5", MESSAGES_1, ANSWER_1);
    }

    /** {@code LiteLLM_SpendLogs} in {@code schema.prisma} of LiteLLM 1.110. These keep what was asked in the proxy's request; texts hold JSON, as a table is exported. */
    static String liteLlmSpendLogs() {
        String line = "%s,acompletion,2024-05-29 13:46:%s.963,m,{},%s,s1,%s,%s\n";
        String sent = "{\"model\":\"m\",\"messages\":%s}";
        return "request_id,call_type,startTime,model,messages,response,session_id,status,proxy_server_request\n"
                + line.formatted("x3", "30", "{}", "failure", quoted(sent.formatted(MESSAGES_1)))
                + line.formatted("x2", "20", quoted(ANSWER_2), "success", quoted(sent.formatted(MESSAGES_2)))
                + line.formatted("x1", "10", quoted(ANSWER_1), "success", quoted(sent.formatted(MESSAGES_1)));
    }

    /** What a callback is given, with the payload in it. */
    static String liteLlmCallbacks() {
        StringBuilder lines = new StringBuilder();
        liteLlm()
                .lines()
                .forEach(line -> lines.append(
                        "{\"model\":\"m\",\"messages\":[],\"standard_logging_object\":%s}\n".formatted(line)));
        return lines.toString();
    }

    /** {@code ObservationV2} of Langfuse's API, as its Python SDK 5.0 has it. */
    static String langfuse() {
        String line =
                "{\"id\":\"%s\",\"traceId\":\"t\",\"type\":\"%s\",\"name\":\"weather\",\"startTime\":\"%s\",\"input\":%s,\"output\":%s}\n";
        return line.formatted("o2", "GENERATION", "2024-05-29T13:46:20.1Z", MESSAGES_2, "\"Yes.\"")
                + line.formatted("s", "SPAN", "2024-05-29T13:46:19.0Z", "\"x\"", "\"y\"")
                + line.formatted(
                        "o1",
                        "GENERATION",
                        "2024-05-29T13:46:19.963Z",
                        "{\"messages\":" + MESSAGES_1 + "}",
                        "{\"role\":\"assistant\",\"content\":\"Ask \\\"again\\\".\"}");
    }

    /** The same as a table that Langfuse exports. */
    static String langfuseCsv() {
        return "id,trace_id,type,start_time,input,output\n"
                + "o2,t,GENERATION,2024-05-29 13:46:20.100000,%s,Yes.\n".formatted(quoted(MESSAGES_2))
                + "o1,t,GENERATION,2024-05-29 13:46:19.963000,%s,\"Ask \"\"again\"\".\"\n"
                        .formatted(quoted(MESSAGES_1));
    }

    static String csv() {
        return "id,question,reply\nq1,%s,\"Ask \"\"again\"\".\"\nq2,%s,Yes.\n"
                .formatted(quoted(MESSAGES_1), quoted(MESSAGES_2));
    }

    static String tsv() {
        return "id\tquestion\treply\nq1\t%s\t\"Ask \"\"again\"\".\"\nq2\t%s\tYes.\n"
                .formatted(quoted(MESSAGES_1), quoted(MESSAGES_2));
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /** As {@code --enable-log-requests --enable-log-outputs} wrote them before details had lines of their own; the second answer was streamed. */
    static String vllm() {
        String asked =
                "INFO 05-29 13:46:19 [logger.py:43] Received request %s: prompt: %s, params: SamplingParams(n=1, stop=[]), prompt_token_ids: None, prompt_embeds shape: None, lora_request: None.\n";
        String said =
                "INFO 05-29 13:46:20 [logger.py:77] Generated response %s%s: output: %s, output_token_ids: %s, finish_reason: %s\n";
        return "INFO 05-29 13:46:00 [api_server.py:1] Started\n"
                + asked.formatted("chatcmpl-1", python(ASKED_1))
                + said.formatted("chatcmpl-1", "", "'Ask \"again\".<|im_end|>'", "None", "stop")
                + asked.formatted("chatcmpl-2", python(ASKED_2))
                + said.formatted("chatcmpl-2", " (streaming delta)", "'Yes'", "[61, 60]", "None")
                + said.formatted("chatcmpl-2", " (streaming complete)", "'Yes.'", "None", "streaming_complete");
    }

    /** {@code vllm/entrypoints/serve/utils/request_logger.py} of vLLM 0.32, with details. */
    static String vllmDetails() {
        String prefix = "(APIServer pid=7) %s 11-24 20:00:00 [request_logger.py:57] ";
        String debug = prefix.formatted("DEBUG");
        String info = prefix.formatted("INFO");
        String asked = debug
                + "Request %1$s details: prompt: %2$s, prompt_token_ids: None, prompt_embeds shape: None.\n"
                + info
                + "Received request %1$s: params: SamplingParams(n=1, stop=[]), lora_request: None.\n";
        String ids = debug + "Generated response %s%s details: output_token_ids: %s\n";
        String said = info + "Generated response %s%s: output: %s, finish_reason: %s\n";
        return asked.formatted("chatcmpl-1", python(ASKED_1))
                + asked.formatted("chatcmpl-2", python(ASKED_2))
                + ids.formatted("chatcmpl-2", " (streaming delta)", "[60, 61]")
                + said.formatted("chatcmpl-2", " (streaming delta)", "'Yes'", "None")
                + ids.formatted("chatcmpl-1", "", "None")
                + said.formatted("chatcmpl-1", "", "'Ask \"again\".<|im_end|>'", "stop")
                + ids.formatted("chatcmpl-2", " (streaming delta)", "[62]")
                + said.formatted("chatcmpl-2", " (streaming delta)", "'.'", "stop")
                + ids.formatted("chatcmpl-2", " (streaming complete)", "None")
                + said.formatted("chatcmpl-2", " (streaming complete)", "'Yes.'", "streaming_complete")
                + ids.formatted("chatcmpl-1", "", "(7, 8)")
                + said.formatted("chatcmpl-1", "", "'other'", "length");
    }

    /** {@code sglang/srt/utils/request_logger.py} of 0.5.23 with {@code --log-requests-level 3}: a chat whose ids are logged, and a text whose answer quotes. */
    static String sglang() {
        String asked =
                "GenerateReqInput(rid='%s', session_id=None, text=%s, input_ids=%s, image_data=None, sampling_params={'stop': None, 'temperature': 0.0}, stream=%s, conversation_id='talk')";
        String line = "[2025-05-29 13:46:%s] %s: obj=%s%s\n";
        String out =
                ", out={'text': %s, 'output_ids': %s, 'meta_info': {'id': '%s', 'finish_reason': {'type': 'stop', 'matched': 258}, 'prompt_tokens': 9, 'completion_tokens': %d}}";
        String chat = asked.formatted("r-1", python(ASKED_1), "[5, 6, 7]", "False");
        String text = asked.formatted("r-2", python(ASKED_2), "None", "True");
        String check = asked.formatted("HEALTH_CHECK_17", "None", "[0]", "False");
        return "[2025-05-29 13:46:00] server_args=ServerArgs(model_path='m', log_requests=True)\n"
                + line.formatted("01", "Receive", chat, "")
                + line.formatted("02", "Receive", text, "")
                + line.formatted("03", "Finish", check, out.formatted("'x'", "[9]", "HEALTH_CHECK_17", 1))
                + line.formatted(
                        "04", "Finish", text, out.formatted("\"It's (a, 'b' = c}.\\n\"", "[60, 61, 62]", "r-2", 3))
                + line.formatted(
                        "05",
                        "Finish",
                        chat,
                        ", headers={'x-smg-routing-key': 'k'}" + out.formatted("'Yes.'", "[60, 61, 62]", "r-1", 3));
    }

    /** As {@code --log-requests-format json} writes the same two; texts alone, and as lines where the time before them was cut away. */
    static String sglangJson(boolean timed) {
        String time = timed ? "[2025-05-29 13:46:19] " : "";
        String obj = "{\"rid\": \"%s\", \"text\": %s, \"input_ids\": null, \"image_data\": null, \"stream\": false}";
        String line = time
                + "{\"timestamp\": \"2025-05-29T13:46:19.963\", \"event\": \"request.%s\", \"rid\": \"%s\", \"obj\": "
                + obj + "%s}\n";
        String out =
                ", \"out\": {\"text\": %s, \"meta_info\": {\"id\": \"x\", \"finish_reason\": {\"type\": \"%s\"}, \"completion_tokens\": 3}}";
        return line.formatted("received", "r-1", "r-1", json(ASKED_1), "")
                + line.formatted("finished", "r-1", "r-1", json(ASKED_1), out.formatted(json(SAID_1), "stop"))
                + line.formatted("finished", "r-0", "r-0", json(ASKED_1), out.formatted(json("Wi"), "abort"))
                + line.formatted("finished", "r-2", "r-2", json(ASKED_2), out.formatted(json(SAID_2), "length"));
    }

    private static String json(String text) {
        return "\"" + text.replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    private static String python(String text) {
        return "'" + text.replace("\n", "\\n") + "'";
    }

    static void parquet(Path file) throws IOException {
        parquet(file, "messages", "completion", CompressionCodecName.ZSTD);
    }

    static void parquet(Path file, String prompt, String response, CompressionCodecName codec) throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType("""
                message row {
                  required binary id (STRING);
                  optional group %s (LIST) { repeated group list { optional group element {
                    required binary role (STRING); required binary content (STRING); } } }
                  optional binary %s (STRING);
                }
                """.formatted(prompt, response));
        SimpleGroupFactory rows = new SimpleGroupFactory(schema);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withType(schema)
                .withCompressionCodec(codec)
                .build()) {
            writer.write(row(rows.newGroup(), "p1", "Ask \"again\".", "user", "Will it rain?"));
            writer.write(row(
                    rows.newGroup(),
                    "p2",
                    "Yes.",
                    "user",
                    "Will it rain?",
                    "assistant",
                    "Ask \"again\".",
                    "user",
                    "And now?"));
        }
    }

    private static Group row(Group row, String id, String completion, String... turns) {
        row.add(0, id);
        Group messages = row.addGroup(1);
        row.add(2, completion);
        for (int i = 0; i < turns.length; i += 2) {
            messages.addGroup("list")
                    .addGroup("element")
                    .append("role", turns[i])
                    .append("content", turns[i + 1]);
        }
        return row;
    }

    /** A chat whose first answer calls a tool; where calls have times, the later one stands first. */
    static String chain(String form) {
        String tools = "[{\"type\":\"function\",\"function\":{\"name\":\"look\"}}]";
        String call =
                "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\": \\\"sky\\\", \\\"for\\\": 2}\"}}]}";
        String next = "%s,%s,{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"blue\"}]"
                .formatted(MESSAGES_1.substring(0, MESSAGES_1.length() - 1), call);
        String called = "{\"choices\":[{\"message\":%s,\"finish_reason\":\"tool_calls\"}]}".formatted(call);
        String first;
        String second;
        switch (form) {
            case "openai" -> {
                String line = "{\"request\":{\"tools\":%s,\"messages\":%s},\"response\":%s}\n";
                return line.formatted(tools, MESSAGES_1, called) + line.formatted(tools, next, ANSWER_2);
            }
            case "litellm" -> {
                String line =
                        "{\"call_type\":\"c\",\"startTime\":%d,\"model_parameters\":{\"tools\":%s},\"messages\":%s,\"response\":%s}\n";
                first = line.formatted(1, tools, MESSAGES_1, called);
                second = line.formatted(2, tools, next, ANSWER_2);
            }
            case "langfuse" -> {
                String line =
                        "{\"traceId\":\"t\",\"type\":\"GENERATION\",\"startTime\":%d,\"input\":{\"tools\":%s,\"messages\":%s},\"output\":%s}\n";
                first = line.formatted(1, tools, MESSAGES_1, call);
                second = line.formatted(2, tools, next, "\"Yes.\"");
            }
            default -> {
                return "{\"id\":\"t\",\"tools\":%s,\"messages\":%s,{\"role\":\"assistant\",\"content\":\"Yes.\"}]}\n"
                        .formatted(tools, next.substring(0, next.length() - 1));
            }
        }
        return second + first;
    }

    static Path write(Path file, String text) throws IOException {
        String name = file.toString();
        try (OutputStream bytes = Files.newOutputStream(file);
                OutputStream packed = name.endsWith(".gz")
                        ? new GZIPOutputStream(bytes)
                        : name.endsWith(".zst") ? new ZstdOutputStream(bytes) : bytes) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }
}
