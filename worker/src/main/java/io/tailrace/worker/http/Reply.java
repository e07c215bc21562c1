package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.model.TextTokenizer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one call, on the thread of its client: at once when complete, or as server-sent events. */
final class Reply {
    private static final Logger LOG = LoggerFactory.getLogger(Reply.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8);

    private final Context client;
    private final CallReader.Call call;
    private final Backend backend;
    private final EventSpacing spacing;
    private final AnswerWriter writer;
    private final BlockingQueue<AnswerQueue> arrivals = new LinkedBlockingQueue<>();
    private final List<AnswerQueue> queues = new ArrayList<>();
    private final List<DecodeRequest.Ticket> tickets = new CopyOnWriteArrayList<>();
    private int ended;

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
        this.writer = new AnswerWriter(call, backend.modelName(), backend.tokenizer());
        for (DecodeRequest choice : call.choices()) {
            TextTokenizer.TextStream stream = backend.tokenizer().stream(choice.prompt());
            queues.add(
                    visibility.spaced()
                            ? AnswerQueue.ofTokens(queues.size(), arrivals, stream, choice.stops())
                            : AnswerQueue.ofSteps(queues.size(), arrivals, stream));
        }
    }

    /** Submits and answers. A client that goes away ends its requests; of those that are not all taken none is answered. */
    void run() {
        try {
            for (AnswerQueue queue : queues) {
                tickets.add(backend.submit(call.choices().get(queue.index()), queue));
            }
            answer();
        } finally {
            cancel();
        }
    }

    private void cancel() {
        tickets.forEach(DecodeRequest.Ticket::cancel);
    }

    private void answer() {
        ClientWatch watch = ClientWatch.of(client.req(), this::cancel);
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
            watch.close();
            watch.endIfPipelined(client.res());
        }
    }

    private void whole() throws IOException, InterruptedException {
        List<StringBuilder> texts = new ArrayList<>();
        List<List<TokenLogprob>> logprobs = new ArrayList<>();
        for (int choice = 0; choice < queues.size(); choice++) {
            texts.add(new StringBuilder());
            logprobs.add(new ArrayList<>());
        }
        while (ended < queues.size()) {
            AnswerQueue queue = next();
            AnswerPart part = queue.take();
            if (part == null) {
                ended++;
                texts.get(queue.index()).append(queue.rest());
            } else {
                texts.get(queue.index()).append(part.text());
                logprobs.get(queue.index()).addAll(part.logprobs());
            }
        }
        List<Answer> answers = answers();
        List<AnswerPart> parts = new ArrayList<>();
        for (int choice = 0; choice < queues.size(); choice++) {
            parts.add(new AnswerPart(texts.get(choice).toString(), logprobs.get(choice)));
        }
        client.contentType("application/json").result(JSON.writeValueAsBytes(writer.whole(parts, answers)));
    }

    private void stream() throws IOException, InterruptedException {
        client.res().setContentType("text/event-stream;charset=utf-8");
        client.header("Cache-Control", "no-cache").header("X-Accel-Buffering", "no");
        OutputStream out = client.res().getOutputStream();
        // The first token may be long in coming, and what stands between gives up on a server that says nothing.
        out.flush();
        if (call.chat()) {
            for (AnswerQueue queue : queues) {
                send(out, writer.role(queue.index()));
            }
        }
        try {
            while (ended < queues.size()) {
                event(out, next());
            }
            end(out);
        } catch (ApiException e) {
            send(out, e.body());
        }
    }

    private void event(OutputStream out, AnswerQueue queue) throws IOException {
        AnswerPart part = queue.take();
        if (part == null) {
            ended++;
            send(out, writer.end(queue.index(), new AnswerPart(queue.rest(), List.of()), complete(queue)));
        } else if (!part.text().isEmpty() || !part.logprobs().isEmpty()) {
            send(out, writer.piece(queue.index(), part));
        }
    }

    /** The next choice that has a piece, when the piece's time has come. The end has its time, too. */
    private AnswerQueue next() throws InterruptedException {
        AnswerQueue queue = arrivals.take();
        spacing.await();
        return queue;
    }

    private void end(OutputStream out) throws IOException {
        if (call.streamUsage()) {
            send(out, writer.usage(answers()));
        }
        out.write(DONE);
        out.flush();
    }

    private List<Answer> answers() {
        return queues.stream().map(Reply::complete).toList();
    }

    /** The answer, if it came to its end: a part of one must never look whole. */
    private static Answer complete(AnswerQueue queue) {
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
