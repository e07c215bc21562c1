package io.tailrace.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs that {@code tailrace dev} writes, run against a tokenizer that knows two texts. */
class PublishersTest {
    private static final long PROGRAM_SECONDS_MAX = 30;
    private static final ServedModel MODEL = new ServedModel("meta/llamä", "r1", 200_000, "sha256:a");

    @TempDir
    Path folder;

    private HttpServer tokenizer;

    @BeforeEach
    void start() throws IOException {
        tokenizer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        tokenizer.createContext("/tokenize", PublishersTest::tokenize);
        tokenizer.start();
        String api = "http://127.0.0.1:" + tokenizer.getAddress().getPort();
        new Publishers(api, "127.0.0.1:1", MODEL, "default").writeTo(folder);
    }

    @AfterEach
    void stop() {
        tokenizer.stop(0);
    }

    @Test
    void thePythonProgramWritesAGeneration() throws Exception {
        requireGeneration("python3", Publishers.PYTHON);
    }

    @Test
    void theJavaScriptProgramWritesAGeneration() throws Exception {
        boolean node = runs("node", "--version");
        if (!node) {
            System.out.println("NOT RUN: there is no program 'node'; install it (Debian: apt-get install nodejs)");
        }
        Assumptions.assumeTrue(node, "no program 'node'");
        requireGeneration("node", Publishers.JAVASCRIPT);
    }

    private void requireGeneration(String language, String program) throws Exception {
        Generation generation = generation(language, program, "the prompt", "the answer");
        assertThat(generation.getLane()).isEqualTo(new Lane("meta/llamä", "r1", "default"));
        assertThat(generation.getProducer()).isEqualTo(program);
        assertThat(TokenIds.toArray(generation.getPrompt())).containsExactly(1, 63, 64);
        assertThat(TokenIds.toArray(generation.getResponse())).containsExactly(0, 8_191, 8_192, 199_999);
        assertThat(generation.getCompletedAt()).isAfter(generation.getStartedAt());
        Generation empty = generation(language, program, "", "");
        assertThat(TokenIds.toArray(empty.getPrompt())).isEmpty();
        assertThat(TokenIds.toArray(empty.getResponse())).isEmpty();
    }

    private Generation generation(String language, String program, String prompt, String answer) throws Exception {
        Process run = new ProcessBuilder(language, folder.resolve(program).toString(), prompt, answer, "--print")
                .redirectErrorStream(true)
                .start();
        String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(run.waitFor()).as(printed).isZero();
        return RecordCodec.GENERATION.decode(HexFormat.of().parseHex(printed));
    }

    /** A prompt is to have special tokens, an answer none. */
    private static void tokenize(HttpExchange call) throws IOException {
        String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).replace(" ", "");
        boolean prompt = body.contains("theprompt") && body.contains("true");
        boolean answer = body.contains("theanswer") && body.contains("false");
        String ids = prompt ? "[1,63,64]" : answer ? "[0,8191,8192,199999]" : "[]";
        byte[] told = ("{\"tokens\":" + ids + "}").getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(200, told.length);
        call.getResponseBody().write(told);
        call.close();
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).start();
            return process.waitFor(PROGRAM_SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
