package io.tailrace.tap.proxy;

import java.util.List;

/**
 * A call that may make generations and its answer, as they went over the wire. Whoever has it closes it.
 *
 * @param chat a chat; otherwise a completion
 * @param scopeValues values of the request's header that names the scope; empty: it had none, or there is no such header
 * @param requestEncoding the request's Content-Encoding, or null
 * @param request its body
 * @param status of the answer
 * @param contentType the answer's Content-Type, or null
 * @param answerEncoding the answer's Content-Encoding, or null
 * @param answer its body
 * @param startedAtMillis when the request arrived
 * @param completedAtMillis when the last of the answer came from the server
 */
public record Exchange(
        boolean chat,
        List<String> scopeValues,
        String requestEncoding,
        KeptBody request,
        int status,
        String contentType,
        String answerEncoding,
        KeptBody answer,
        long startedAtMillis,
        long completedAtMillis)
        implements AutoCloseable {
    public Exchange {
        scopeValues = List.copyOf(scopeValues);
    }

    @Override
    public void close() {
        request.close();
        answer.close();
    }
}
