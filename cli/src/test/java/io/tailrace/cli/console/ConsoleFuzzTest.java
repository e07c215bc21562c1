package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that a browser, or whoever reaches the console's port, sends over a connection: the console answers soon, and is not at fault itself. */
class ConsoleFuzzTest {
    private static final int ANSWER_MILLIS_MAX = 10_000;
    /** What HTTP has for methods and versions that nobody knows. */
    private static final Set<Integer> NO_FAULTS = Set.of(501, 505);

    private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] ([0-9]{3})", Pattern.MULTILINE);

    @TempDir
    private static Path folder;

    private static ConsoleInMemory console;

    @BeforeAll
    static void start() throws IOException {
        console = new ConsoleInMemory(folder);
    }

    @AfterAll
    static void stop() {
        console.close();
    }

    static Stream<byte[]> seeds() {
        String head = " HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nAuthorization: "
                + ConsoleInMemory.ANNA + "\r\n";
        Stream<String> read = Stream.of(
                        "/",
                        "/lane?lane=toy%401%2Facme&one=newest-1&other=3s",
                        "/learning?lane=toy@1/acme",
                        "/outcomes?lane=nobody%zz",
                        "/generation?id=request-%F0%9F",
                        "/books?%",
                        "/console.js",
                        "/%2e%2e/%00;a=b?c",
                        "/nothing",
                        ConsoleInMemory.PIN,
                        "/act?action=rollback&lane=toy@1/acme&version=5",
                        "/act?action=propose&lane=toy@1/acme&drafts=yes&budget=8&floor=0.5&weights=shipped&judge=no",
                        "/act?action=propose&lane=toy@1/acme&drafts=no&budget=0&floor=NaN&weights=live&judge=yes",
                        "/act?action=delete&lane=toy@1/acme&reach=this+lane%27s&request=request-1",
                        "/act?action=unpin&lane=%EF%BF%BF@1/acme")
                .map(path -> "GET " + path + head + "\r\n");
        Stream<String> sent = Stream.of("token=" + "0".repeat(64), "token=%zz", "token", "%=%&=&token=%E4")
                .map(form -> "POST /act" + head + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                        + form.length() + "\r\n\r\n" + form);
        Stream<String> others = Stream.of(
                "POST /act" + head
                        + "Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n--x\r\n0\r\n\r\n",
                "POST /act" + head
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\ntoken",
                "POST /act" + head + "Content-Type: text/plain; charset\r\nContent-Length: 7\r\n\r\ntoken=1",
                "POST /act" + head + "Content-Type: text/plain; charset=none\r\nContent-Length: 7\r\n\r\ntoken=1",
                "GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n",
                "GET /act HTTP/1.1\r\nHost: [::1]:1\r\nAuthorization: Basic ???\r\nCookie: a=b\r\nAccept-Encoding: gzip\r\n\r\n",
                "HEAD /lane" + head + "\r\n",
                "OPTIONS *" + head + "\r\n",
                "GET / HTTP/1.0\r\n\r\n");
        return Stream.of(read, sent, others)
                .flatMap(each -> each)
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aRequestIsAnsweredOrRefused(byte[] sent) throws Exception {
        String answer = answer(sent);
        Matcher status = STATUS.matcher(answer);
        while (status.find()) {
            int code = Integer.parseInt(status.group(1));
            assertThat(code < 500 || NO_FAULTS.contains(code)).as(answer).isTrue();
        }
        assertThat(console.given).as("nothing was confirmed").hasValue(0);
    }

    private static String answer(byte[] sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.port())) {
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(sent);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException e) {
            return ""; // it has closed before it read all
        }
    }
}
