package io.tailrace.tap;

import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.tap.proxy.ScopeRule;
import io.tailrace.worker.model.ChatTemplate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A tap before a server, and clients of it. */
final class TestTap implements AutoCloseable {
    static final String MODEL = "small";
    static final ChatTemplate CHAT = (messages, answerNext, now) -> {
        StringBuilder prompt = new StringBuilder();
        for (ChatTemplate.Message message : messages) {
            prompt.append('<').append(message.role()).append('>').append(message.content());
        }
        return prompt.append(answerNext ? "<assistant>" : "").toString();
    };
    static final ScopeRule CHAT_SCOPE = ScopeRule.fixed("chat");
    static final AnswerTokenizer TOKENIZER =
            new AnswerTokenizer(new CharTokenizer(), Optional.of(CHAT), Optional.of(CharTokenizer.END));

    final KeptReports reports;
    final Tap tap;
    private final int port;

    private TestTap(KeptReports reports, Tap tap) {
        this.reports = reports;
        this.tap = tap;
        this.port = tap.port();
    }

    /** Of scope {@code chat}, without a tokenizer. */
    static TestTap before(URI server) throws IOException {
        return before(server, Optional.empty());
    }

    /** Of scope {@code chat}. */
    static TestTap before(URI server, Optional<AnswerTokenizer> tokenizer) throws IOException {
        return before(ProxyOptions.to(server, CHAT_SCOPE), tokenizer, new KeptReports());
    }

    static TestTap before(ProxyOptions proxy, Optional<AnswerTokenizer> tokenizer, KeptReports reports)
            throws IOException {
        return before(proxy, published(tokenizer), reports);
    }

    static TestTap before(ProxyOptions proxy, PublishOptions publish, KeptReports reports) throws IOException {
        return new TestTap(reports, Tap.start(proxy, 0, publish, reports));
    }

    static PublishOptions published(Optional<AnswerTokenizer> tokenizer) {
        return new PublishOptions("tap", MODEL, "main", true, tokenizer);
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** One call on a connection of its own. */
    RawHttp.Message post(String path, String body, String... headers) throws IOException {
        try (Socket socket = connect()) {
            send(socket, path, body.getBytes(StandardCharsets.UTF_8), headers);
            return RawHttp.read(socket.getInputStream());
        }
    }

    static void send(Socket socket, String path, byte[] body, String... headers) throws IOException {
        StringBuilder head = new StringBuilder(
                "POST %s HTTP/1.1\r\nHost: tap\r\nContent-Type: application/json\r\n".formatted(path));
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().write(body);
        socket.getOutputStream().flush();
    }

    /** Waits for what is told and counted behind the client's back. */
    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** A port at which nobody listens, and nobody else can as long as it is held. */
    static Socket heldPort() throws IOException {
        Socket held = new Socket();
        held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return held;
    }

    /** The value of a meter; 0 if there is none. */
    double meter(String nameAndLabels) throws IOException, InterruptedException {
        Matcher line = Pattern.compile("^" + Pattern.quote(nameAndLabels) + " (\\S+)$", Pattern.MULTILINE)
                .matcher(scrape());
        return line.find() ? Double.parseDouble(line.group(1)) : 0;
    }

    double skipped(String reason) throws IOException, InterruptedException {
        return meter("tailrace_tap_skipped_total{reason=\"%s\",worker=\"tap\"}".formatted(reason));
    }

    /** Of all reasons together. */
    double skippedInAll() throws IOException, InterruptedException {
        return scrape().lines()
                .filter(line -> line.startsWith("tailrace_tap_skipped_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    double ended(String status) throws IOException, InterruptedException {
        return meter("tailrace_tap_requests_total{status=\"%s\",worker=\"tap\"}".formatted(status));
    }

    double published() throws IOException, InterruptedException {
        return meter("tailrace_tap_published_total{worker=\"tap\"}");
    }

    String scrape() throws IOException, InterruptedException {
        return operators("/metrics").body();
    }

    HttpResponse<String> operators(String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tap.operatorPort() + path))
                                .build(),
                        BodyHandlers.ofString());
    }

    @Override
    public void close() {
        tap.close();
    }
}
