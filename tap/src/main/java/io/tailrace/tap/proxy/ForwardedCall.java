package io.tailrace.tap.proxy;

import io.tailrace.worker.http.ClientWatch;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's request on its way. Copies what passes, if generations may come of it, and tells the listener once how it ended.
 *
 * <p>While nothing but the server's answer is waited for, the client is watched: when it goes, the request upstream is aborted. The watch begins once the
 * request is read to its end. It ends before the client can have its last byte, since whatever the client sends or does then belongs to its next request.
 */
final class ForwardedCall extends Request.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardedCall.class);
    private static final String COMPLETIONS = "/v1/completions";
    private static final String CHATS = "/v1/chat/completions";

    private final long startedAtMillis = System.currentTimeMillis();
    private final HttpFields headers;
    private final ForwardListener listener;
    private final Answer answer;
    private final Callback end;
    private final boolean chat;
    private final boolean generates;
    private final Optional<String> scope;
    private final KeptBody requestBody;
    private final KeptBody answerBody;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile org.eclipse.jetty.client.Request upstream;
    private volatile IncomingBody incoming;
    private volatile Refusal givenUp;
    private volatile boolean unwanted;
    private volatile boolean clientGone;
    private volatile boolean answerWhole;
    private volatile long completedAtMillis;
    private ClientWatch watch;
    private boolean watchOver;

    ForwardedCall(
            Request client,
            Response answer,
            Callback callback,
            ScopeRule scopes,
            KeptBody.Room room,
            ForwardListener listener) {
        super(client);
        this.headers = HttpFields.build(client.getHeaders()).remove(HttpHeader.EXPECT);
        this.listener = listener;
        this.answer = new Answer(answer);
        this.end = new End(callback);
        // CONNECT has none.
        String path = Objects.requireNonNullElse(client.getHttpURI().getCanonicalPath(), "");
        chat = path.endsWith(CHATS);
        generates = HttpMethod.POST.is(client.getMethod()) && (chat || path.endsWith(COMPLETIONS));
        scope = scopes.scope(client.getHeaders());
        requestBody = KeptBody.arriving(room, Exchange.REQUEST_BYTES_MAX);
        answerBody = new KeptBody(room, Exchange.ANSWER_BYTES_MAX);
        if (!generates || scope.isEmpty()) {
            requestBody.close();
            answerBody.close();
        }
    }

    /** Without {@code Expect}: who waits to be told to go on is told once the server has the head, so that the wait for every body has its bound. */
    @Override
    public HttpFields getHeaders() {
        return headers;
    }

    /** What the server says goes through here to the client. */
    Response answer() {
        return answer;
    }

    /** To be called when there is nothing more to do. */
    Callback end() {
        return end;
    }

    /**
     * Before it is sent.
     *
     * @param sent is aborted when the client goes, or is given up
     */
    void goesAs(org.eclipse.jetty.client.Request sent, IncomingBodies bodies, long bodyPauseNanosMax) {
        upstream = sent;
        incoming = new IncomingBody(bodies, getComponents().getScheduler(), bodyPauseNanosMax, why -> {
            givenUp = why;
            Future<Boolean> unused = sent.abort(new TimeoutException(why.name()));
        });
    }

    /** Why the client's body is not waited for any more; null: it came, or is waited for. */
    Refusal givenUp() {
        return givenUp;
    }

    boolean clientGone() {
        return clientGone;
    }

    @Override
    public void demand(Runnable demandCallback) {
        incoming.waits();
        super.demand(demandCallback);
    }

    @Override
    public Content.Chunk read() {
        Content.Chunk chunk = super.read();
        if (chunk != null) {
            incoming.came();
        }
        if (Content.Chunk.isFailure(chunk)) {
            clientGone = clientGone || !unwanted;
        } else if (chunk != null) {
            requestBody.add(chunk.getByteBuffer());
            if (chunk.isLast()) {
                incoming.end();
                requestBody.arrived();
                watchClient();
            }
        }
        return chunk;
    }

    /** The server takes no more of the request, which says nothing of the client. */
    @Override
    public void fail(Throwable failure) {
        unwanted = true;
        super.fail(failure);
    }

    /** The request is read to its end. */
    synchronized void watchClient() {
        if (!watchOver && watch == null) {
            watch = ClientWatch.of(getConnectionMetaData().getConnection(), this::clientWent);
        }
    }

    /** Outside the lock, since a client that goes at this moment ends the call with the watch's own lock held. */
    private void endWatch() {
        ClientWatch last;
        synchronized (this) {
            watchOver = true;
            last = watch;
            watch = null;
        }
        if (last != null) {
            last.close();
            last.endIfPipelined();
        }
    }

    private void clientWent() {
        clientGone = true;
        Future<Boolean> unused = upstream.abort(new EofException("the client has gone"));
    }

    private void ended(boolean clientHasAll) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        endWatch();
        if (incoming != null) {
            incoming.end();
        }
        try {
            listener.ended(
                    clientHasAll
                            ? Integer.toString(answer.getStatus())
                            : clientGone ? ForwardListener.CLIENT_GONE : ForwardListener.BROKEN_OFF);
            if (generates) {
                listener.exchanged(exchange());
            }
        } catch (RuntimeException e) {
            LOG.error("a request was forwarded, and what was made of it broke", e);
        }
    }

    private Exchange exchange() {
        return new Exchange(
                chat,
                scope,
                getHeaders().get(HttpHeader.CONTENT_ENCODING),
                requestBody,
                answer.getStatus(),
                answerWhole,
                answer.getHeaders().get(HttpHeader.CONTENT_TYPE),
                answer.getHeaders().get(HttpHeader.CONTENT_ENCODING),
                answerBody,
                startedAtMillis,
                answerWhole ? completedAtMillis : System.currentTimeMillis());
    }

    private final class Answer extends Response.Wrapper {
        private long written;

        Answer(Response answer) {
            super(ForwardedCall.this, answer);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            if (content != null) {
                written += content.remaining();
                if (getStatus() == HttpStatus.OK_200) {
                    answerBody.add(content);
                }
            }
            if (last || written == getHeaders().getLongField(HttpHeader.CONTENT_LENGTH)) {
                answerWhole = true;
                completedAtMillis = System.currentTimeMillis();
                endWatch();
            }
            super.write(last, content, new Written(callback));
        }
    }

    /** What cannot be written has no client any more. */
    private final class Written extends Callback.Nested {
        Written(Callback callback) {
            super(callback);
        }

        @Override
        public void failed(Throwable failure) {
            clientGone = true;
            super.failed(failure);
        }
    }

    private final class End extends Callback.Nested {
        End(Callback callback) {
            super(callback);
        }

        @Override
        public void succeeded() {
            ended(true);
            super.succeeded();
        }

        @Override
        public void failed(Throwable failure) {
            ended(false);
            super.failed(failure);
        }
    }
}
