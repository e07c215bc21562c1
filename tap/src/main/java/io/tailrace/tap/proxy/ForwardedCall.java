package io.tailrace.tap.proxy;

import io.tailrace.worker.http.ClientWatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request on its way: what is kept of it, whether its client is still there, and how it ends. Whatever goes wrong here, it is forwarded. */
final class ForwardedCall {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardedCall.class);
    private static final String COMPLETIONS = "/v1/completions";
    private static final String CHATS = "/v1/chat/completions";

    private final Request client;
    private final ForwardListener listener;
    private final long startedAtMillis = System.currentTimeMillis();
    private final boolean chat;
    private final List<String> scopeValues;
    /** Empty: nothing is kept, since no generation can come of it. */
    private final Optional<KeptBody> request;

    private final Optional<KeptBody> answer;
    private final AtomicBoolean watched = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile ClientWatch watch;
    private volatile boolean clientGone;
    private volatile boolean upstreamFailed;
    private volatile long completedAtMillis;
    private volatile String contentType;
    private volatile String answerEncoding;

    ForwardedCall(Request client, ProxyOptions options, KeptRoom room, ForwardListener listener) {
        this.client = client;
        this.listener = listener;
        String path = Request.getPathInContext(client);
        boolean post = HttpMethod.POST.is(client.getMethod());
        this.chat = path.endsWith(CHATS);
        this.scopeValues = options.scopeHeader()
                .map(name -> client.getHeaders().getValuesList(name))
                .orElse(List.of());
        boolean keeps = post && (chat || path.endsWith(COMPLETIONS));
        KeptLimits limits = options.kept();
        this.request = keeps ? Optional.of(new KeptBody(room, limits.requestBytesMax())) : Optional.empty();
        this.answer = keeps ? Optional.of(new KeptBody(room, limits.answerBytesMax())) : Optional.empty();
    }

    void keepRequest(ByteBuffer passing) {
        request.ifPresent(kept -> kept.add(passing));
    }

    void keepAnswer(ByteBuffer passing) {
        answer.ifPresent(kept -> kept.add(passing));
    }

    /** The request is read to its end: from now on the client is to be there, or the server need not go on. */
    void watchClient(org.eclipse.jetty.client.Request upstream) {
        if (watched.compareAndSet(false, true)) {
            watch = ClientWatch.of(client.getConnectionMetaData().getConnection(), () -> {
                clientGone = true;
                Future<Boolean> unused = upstream.abort(new CancellationException("the client has gone"));
            });
        }
    }

    /** The last of the answer has come from the server. */
    void cameWhole() {
        completedAtMillis = System.currentTimeMillis();
        endWatch();
    }

    boolean clientGone() {
        return clientGone;
    }

    void upstreamFailed() {
        upstreamFailed = true;
        endWatch();
    }

    /** It is over; the first word counts, and gets true. */
    boolean end(int status, boolean clientHasAll) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        endWatch();
        try {
            tell(status, clientHasAll);
        } catch (RuntimeException e) {
            LOG.error("a request was forwarded, and what was made of it broke", e);
        }
        return true;
    }

    private void tell(int status, boolean clientHasAll) {
        if (clientHasAll) {
            listener.forwarded(status);
        } else if (upstreamFailed && !clientGone) {
            listener.brokenOff();
        } else {
            listener.clientGone();
        }
        if (request.isPresent() && answer.isPresent()) {
            if (clientHasAll && !upstreamFailed) {
                listener.answered(exchange(status, request.get(), answer.get()));
            } else {
                request.get().close();
                answer.get().close();
                listener.unanswered();
            }
        }
    }

    private Exchange exchange(int status, KeptBody said, KeptBody answered) {
        return new Exchange(
                chat,
                scopeValues,
                client.getHeaders().get(HttpHeader.CONTENT_ENCODING),
                said,
                status,
                contentType,
                answerEncoding,
                answered,
                startedAtMillis,
                completedAtMillis);
    }

    /** How the answer's body is to be read. */
    void answersWith(String type, String encoding) {
        contentType = type;
        answerEncoding = encoding;
    }

    private void endWatch() {
        ClientWatch current = watch;
        if (current != null) {
            current.close();
            current.endIfPipelined();
        }
    }
}
