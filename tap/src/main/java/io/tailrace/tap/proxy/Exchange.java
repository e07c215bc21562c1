package io.tailrace.tap.proxy;

import java.util.Optional;

/**
 * A call that asks for generations and its answer, as they went over the wire. Whoever has it closes it.
 *
 * @param chat a chat; otherwise a completion
 * @param scope whose it is; empty: not known, and neither body was kept
 * @param requestEncoding the request's Content-Encoding, or null
 * @param request its body
 * @param status of the answer; 0: there was none
 * @param whole whether the server brought its answer to an end
 * @param contentType the answer's Content-Type, or null
 * @param answerEncoding the answer's Content-Encoding, or null
 * @param answer its body, if the status was 200
 * @param startedAtMillis when the request arrived
 * @param completedAtMillis when the last of the answer came from the server
 */
public record Exchange(
        boolean chat,
        Optional<String> scope,
        String requestEncoding,
        KeptBody request,
        int status,
        boolean whole,
        String contentType,
        String answerEncoding,
        KeptBody answer,
        long startedAtMillis,
        long completedAtMillis)
        implements AutoCloseable {
    public static final int REQUEST_BYTES_MAX = 8 << 20;
    /** 100,000 streamed tokens. */
    public static final int ANSWER_BYTES_MAX = 32 << 20;

    @Override
    public void close() {
        request.close();
        answer.close();
    }
}
