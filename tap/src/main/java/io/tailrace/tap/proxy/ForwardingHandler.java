package io.tailrace.tap.proxy;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.client.Response.CompleteListener;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jetty's reverse proxy, made transparent: it adds no header, passes trailers, sends an answer's head before its first byte, and ends a request upstream when its
 * client goes. Each request has a connection of its own: one that is kept for the next may be closed by the server just then, and the request would fail.
 */
final class ForwardingHandler extends ProxyHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardingHandler.class);
    private static final String CALL = ForwardedCall.class.getName();
    private static final String UNREACHABLE =
            "{\"error\":{\"message\":\"%s\",\"type\":\"server_error\",\"param\":null,\"code\":\"upstream_%s\"}}";

    private final ProxyOptions options;
    private final URI upstream;
    private final KeptRoom room;
    private final ForwardListener listener;
    private final AtomicInteger running = new AtomicInteger();

    ForwardingHandler(ProxyOptions options, KeptRoom room, ForwardListener listener) {
        this.options = options;
        this.upstream = options.upstream();
        this.room = room;
        this.listener = listener;
        setUseServerThreadPool(true);
        setViaHost("tailrace");
    }

    /** Requests on their way. */
    int running() {
        return running.get();
    }

    @Override
    protected HttpClient newHttpClient() {
        HttpClientTransport transport = new HttpClientTransportDynamic(new ClientConnector());
        return new HttpClient(transport);
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
        client.setHttpCompliance(AS_WRITTEN);
        client.setConnectTimeout(ProxyOptions.CONNECT_TIME_MAX.toMillis());
        client.setIdleTimeout(options.idleTimeMax().toMillis());
        client.setMaxConnectionsPerDestination(options.connectionsMax());
        client.setMaxRequestsQueuedPerDestination(options.connectionsMax());
        client.setMaxRequestHeadersSize(ProxyOptions.HEADER_BYTES_MAX);
        client.setMaxResponseHeadersSize(ProxyOptions.HEADER_BYTES_MAX);
    }

    /** Names of headers stay as they are written. */
    static final HttpCompliance AS_WRITTEN =
            HttpCompliance.RFC7230.with("AS_WRITTEN", HttpCompliance.Violation.CASE_SENSITIVE_FIELD_NAME);

    @Override
    public boolean handle(Request client, Response answer, Callback callback) {
        ForwardedCall call = new ForwardedCall(client, options, room, listener);
        client.setAttribute(CALL, call);
        running.incrementAndGet();
        Callback end = Callback.from(
                InvocationType.NON_BLOCKING,
                () -> {
                    ended(call, answer, true);
                    callback.succeeded();
                },
                failure -> {
                    ended(call, answer, false);
                    callback.failed(failure);
                });
        try {
            return super.handle(client, answer, end);
        } catch (RuntimeException e) {
            ended(call, answer, false);
            throw e;
        }
    }

    private void ended(ForwardedCall call, Response answer, boolean clientHasAll) {
        if (call.end(answer.getStatus(), clientHasAll)) {
            running.decrementAndGet();
        }
    }

    @Override
    protected HttpURI rewriteHttpURI(Request client) {
        return HttpURI.build(upstream.toString()).pathQuery(client.getHttpURI().getPathQuery());
    }

    /** The target as it was written, also where it is no URI by the book. */
    @Override
    protected org.eclipse.jetty.client.Request newProxyToServerRequest(Request client, HttpURI rewritten) {
        org.eclipse.jetty.client.Request request =
                getHttpClient().newRequest(upstream).method(client.getMethod()).path(rewritten.getPathQuery());
        if (client.getHeaders().contains(HttpHeader.TRAILER)) {
            request.trailersSupplier(client::getTrailers);
        }
        return request;
    }

    /** None but what is between this proxy and the server. */
    @Override
    protected void addProxyHeaders(Request client, org.eclipse.jetty.client.Request request) {
        request.headers(headers -> {
            headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
            client.getHeaders().getFields(HttpHeader.TRAILER).forEach(headers::add);
        });
    }

    @Override
    protected org.eclipse.jetty.client.Request.Content newProxyToServerRequestContent(
            Request client, Response answer, org.eclipse.jetty.client.Request request) {
        return new KeepingContent(client, request);
    }

    @Override
    protected void sendProxyToServerRequest(
            Request client, org.eclipse.jetty.client.Request request, Response answer, Callback callback) {
        boolean bodiless = request.getBody() == null;
        super.sendProxyToServerRequest(client, request, answer, callback);
        if (bodiless) {
            call(client).watchClient(request);
        }
    }

    @Override
    protected CompleteListener newServerToProxyResponseListener(
            Request client, org.eclipse.jetty.client.Request request, Response answer, Callback callback) {
        return new KeepingListener(client, request, answer, callback);
    }

    /** An answer that has begun is broken off, so that nobody takes it for whole; before that the client gets an error that it can read. */
    @Override
    protected void onServerToProxyResponseFailure(
            Request client,
            org.eclipse.jetty.client.Request request,
            org.eclipse.jetty.client.Response response,
            Response answer,
            Callback callback,
            Throwable failure) {
        ForwardedCall call = call(client);
        call.upstreamFailed();
        if (call.clientGone() || answer.isCommitted()) {
            callback.failed(failure);
            return;
        }
        boolean late = failure instanceof TimeoutException;
        LOG.warn("{} did not answer a request: {}", upstream, failure.toString());
        answer.reset();
        answer.setStatus(late ? HttpStatus.GATEWAY_TIMEOUT_504 : HttpStatus.BAD_GATEWAY_502);
        answer.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        String words = UNREACHABLE.formatted(
                late ? "the server behind this proxy took too long" : "the server behind this proxy did not answer",
                late ? "timeout" : "unreachable");
        answer.write(true, ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8)), callback);
    }

    private static ForwardedCall call(Request client) {
        return (ForwardedCall) client.getAttribute(CALL);
    }

    /** A request's body on its way to the server. */
    private static final class KeepingContent extends ProxyRequestContent {
        private final org.eclipse.jetty.client.Request request;

        KeepingContent(Request client, org.eclipse.jetty.client.Request request) {
            super(client);
            this.request = request;
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk != null && !Content.Chunk.isFailure(chunk)) {
                ForwardedCall call = call(getContentSource());
                call.keepRequest(chunk.getByteBuffer());
                if (chunk.isLast()) {
                    call.watchClient(request);
                }
            }
            return chunk;
        }
    }

    /** An answer on its way to the client. */
    private final class KeepingListener extends ProxyResponseListener {
        private final Request client;
        private final ForwardedCall call;
        private final Response answer;

        KeepingListener(Request client, org.eclipse.jetty.client.Request request, Response answer, Callback callback) {
            super(client, request, answer, callback);
            this.client = client;
            this.call = call(client);
            this.answer = answer;
        }

        @Override
        public void onHeaders(org.eclipse.jetty.client.Response response) {
            super.onHeaders(response);
            call.answersWith(
                    response.getHeaders().get(HttpHeader.CONTENT_TYPE),
                    response.getHeaders().get(HttpHeader.CONTENT_ENCODING));
            boolean chunks = client.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
            if (isOpenEnded(response) && chunks) {
                for (HttpField announced : response.getHeaders().getFields(HttpHeader.TRAILER)) {
                    answer.getHeaders().add(announced);
                }
                answer.setTrailersSupplier(response::getTrailers);
            }
        }

        /** The head of an answer that comes in pieces goes at once: its first piece may be long in coming. */
        @Override
        public void onContentSource(org.eclipse.jetty.client.Response response, Content.Source source) {
            if (isOpenEnded(response) && !answer.isCommitted()) {
                answer.write(
                        false,
                        BufferUtil.EMPTY_BUFFER,
                        Callback.from(InvocationType.NON_BLOCKING, () -> pass(response, source), failure -> {
                            Future<Boolean> unused = response.abort(failure);
                        }));
            } else {
                pass(response, source);
            }
        }

        private void pass(org.eclipse.jetty.client.Response response, Content.Source source) {
            super.onContentSource(response, source);
        }

        @Override
        public void onContent(org.eclipse.jetty.client.Response response, Content.Chunk chunk, Runnable demander) {
            call.keepAnswer(chunk.getByteBuffer());
            super.onContent(response, chunk, demander);
        }

        @Override
        public void onSuccess(org.eclipse.jetty.client.Response response) {
            call.cameWhole();
            super.onSuccess(response);
        }

        private static boolean isOpenEnded(org.eclipse.jetty.client.Response response) {
            return !response.getHeaders().contains(HttpHeader.CONTENT_LENGTH);
        }
    }
}
