package io.tailrace.tap.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** An answer of the proxy's own, in OpenAI's words. */
enum Refusal {
    UNREACHABLE(
            HttpStatus.BAD_GATEWAY_502,
            "server_error",
            "upstream_unreachable",
            "the server behind this proxy did not answer"),
    LATE(
            HttpStatus.GATEWAY_TIMEOUT_504,
            "server_error",
            "upstream_timeout",
            "the server behind this proxy took too long"),
    BUSY(
            HttpStatus.SERVICE_UNAVAILABLE_503,
            "server_error",
            "upstream_busy",
            "too many requests are on their way to the server behind this proxy; send it again later"),
    SLOW(
            HttpStatus.REQUEST_TIMEOUT_408,
            "invalid_request_error",
            "request_timeout",
            "the rest of the request did not come; send it at once"),
    CODED(
            HttpStatus.NOT_IMPLEMENTED_501,
            "invalid_request_error",
            "unsupported_transfer_encoding",
            "a request may come in chunks, and with no other transfer encoding; compress its body by Content-Encoding"),
    CROWDED(
            HttpStatus.TOO_MANY_REQUESTS_429,
            "rate_limit_error",
            "too_many_requests",
            "too many requests are sent slowly at once; send it again later");

    private final int status;
    private final String body;

    Refusal(int status, String type, String code, String message) {
        this.status = status;
        this.body = "{\"error\":{\"message\":\"%s\",\"type\":\"%s\",\"param\":null,\"code\":\"%s\"}}"
                .formatted(message, type, code);
    }

    /** Sends it. What is left of the request is not waited for: the connection ends behind the answer. */
    void send(Request client, Response answer, Callback callback) {
        answer.reset();
        answer.setStatus(status);
        answer.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        if (this == BUSY || this == CROWDED) {
            answer.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
        }
        if (!client.consumeAvailable()) {
            answer.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        answer.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), callback);
    }
}
