package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.model.TextTokenizer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one call, on the thread of its client: at once when complete, or as server-sent events. */
final class Reply {
    private static final Logger LOG = LoggerFactory.getLogger(Reply.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8);

    private final Context client;
    private final CallReader.Call call;
    private final AnswerQueue queue;
    private final AnswerWriter writer;
    private final Backend backend;
    private final EventSpacing spacing;

    Reply(
            Context client,
            CallReader.Call call,
            Backend backend,
            DraftVisibility visibility,
            CountDownLatch endpointEnding) {
        this.client = client;
        this.call = call;
        this.backend = backend;
        this.spacing = new EventSpacing(visibility, endpointEnding, backend::eventLate);
        TextTokenizer.TextStream stream = backend.tokenizer().stream();
        this.queue = visibility.spaced()
                ? AnswerQueue.ofTokens(stream, call.request().stops())
                : AnswerQueue.ofSteps(stream);
        this.writer = new AnswerWriter(call, backend.modelName());
    }

    /** Submits and answers. A client that goes away ends its request. */
    void run() {
        DecodeRequest.Ticket ticket = backend.submit(call.request(), queue);
        ClientWatch watch = ClientWatch.of(client.req(), ticket::cancel);
        try {
            if (call.stream()) {
                stream();
            } else {
                whole();
            }
        } catch (IOException e) {
            LOG.debug("a client has gone: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiException.cutShort();
        } finally {
            ticket.cancel();
            watch.close();
            watch.endIfPipelined(client.res());
        }
    }

    private void whole() throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder();
        for (String piece = next(); piece != null; piece = next()) {
            all.append(piece);
        }
        Answer answer = complete();
        all.append(queue.rest());
        client.contentType("application/json").result(JSON.writeValueAsBytes(writer.whole(all.toString(), answer)));
    }

    private void stream() throws IOException, InterruptedException {
        client.res().setContentType("text/event-stream;charset=utf-8");
        client.header("Cache-Control", "no-cache").header("X-Accel-Buffering", "no");
        OutputStream out = client.res().getOutputStream();
        // The first token may be long in coming, and what stands between gives up on a server that says nothing.
        out.flush();
        if (call.chat()) {
            send(out, writer.role());
        }
        for (String piece = next(); piece != null; piece = next()) {
            if (!piece.isEmpty()) {
                send(out, writer.piece(piece));
            }
        }
        try {
            end(out, complete());
        } catch (ApiException e) {
            send(out, e.body());
        }
    }

    /** The next piece of the text when its time has come, or null. The end has its time, too. */
    private String next() throws InterruptedException {
        String piece = queue.take();
        spacing.await();
        return piece;
    }

    private void end(OutputStream out, Answer answer) throws IOException {
        send(out, writer.end(queue.rest(), answer));
        if (call.streamUsage()) {
            send(out, writer.usage(answer));
        }
        out.write(DONE);
        out.flush();
    }

    /** The answer, if it came to its end: a part of one must never look whole. */
    private Answer complete() {
        Answer answer = queue.answer();
        if (answer == null) {
            throw ApiException.broken();
        }
        if (answer.reason() == Answer.FinishReason.CANCELLED) {
            throw ApiException.cutShort();
        }
        return answer;
    }

    private static void send(OutputStream out, ObjectNode event) throws IOException {
        out.write(("data: " + JSON.writeValueAsString(event) + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
