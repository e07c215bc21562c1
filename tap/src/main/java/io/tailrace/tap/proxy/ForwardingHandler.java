package io.tailrace.tap.proxy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Response.CompleteListener;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.client.transport.HttpConversation;
import org.eclipse.jetty.client.transport.HttpRequest;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jetty's reverse proxy, made transparent: it adds no header, sends an answer's head before its first byte, and says in OpenAI's words that the server cannot
 * be reached. Each request has a connection of its own to the server: one that is kept for the next may be closed by the server just then, and the request would fail.
 */
final class ForwardingHandler extends ProxyHandler {
    /** Of the headers of a request, and of those of an answer. */
    static final int HEADER_BYTES_MAX = 64 << 10;
    /** How long connecting to the server may take. */
    static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ForwardingHandler.class);
    /** Threads that hear all connections to the server. */
    private static final int SELECTORS = 4;

    private final ProxyOptions options;
    private final URI upstream;
    private final KeptBody.Room room;
    private final ForwardListener listener;
    private final IncomingBodies bodies;
    private final NameLookup names;
    private final Semaphore places;
    private final AtomicLong unanswered = new AtomicLong();

    ForwardingHandler(ProxyOptions options, KeptBody.Room room, ForwardListener listener) {
        this.options = options;
        this.upstream = options.upstream();
        this.room = room;
        this.listener = listener;
        this.bodies = new IncomingBodies(options.requestsMax() / 4);
        this.names = new NameLookup(options.requestsMax());
        this.places = new Semaphore(options.requestsMax());
        setUseServerThreadPool(true);
        // No header has it. Otherwise the start would look this host's own name up.
        setViaHost("tap");
        setProxyToServerHost(upstream.getRawAuthority());
    }

    @Override
    protected HttpClient newHttpClient() {
        HttpClientTransportOverHTTP transport = new HttpClientTransportOverHTTP(SELECTORS);
        transport.setHeaderCacheCaseSensitive(true);
        return new HttpClient(transport);
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        client.setSocketAddressResolver(names);
        client.setByteBufferPool(ProxyServer.UNSHARED);
        client.setUseInputDirectByteBuffers(false);
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
        client.setConnectTimeout(CONNECT_TIME_MAX.toMillis());
        client.setIdleTimeout(options.idleTimeMax().toMillis());
        client.setMaxConnectionsPerDestination(options.requestsMax());
        client.setMaxRequestsQueuedPerDestination(options.requestsMax());
        client.setMaxRequestHeadersSize(HEADER_BYTES_MAX);
        client.setMaxResponseHeadersSize(HEADER_BYTES_MAX);
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        names.close();
    }

    @Override
    public boolean handle(Request client, Response answer, Callback callback) {
        ForwardedCall call = new ForwardedCall(client, answer, callback, options.scopes(), room, listener);
        if (HttpMethod.CONNECT.is(client.getMethod()) || client.getHttpURI().getPathQuery() == null) {
            // This is no way to anywhere else.
            Response.writeError(call, call.answer(), call.end(), HttpStatus.METHOD_NOT_ALLOWED_405);
            return true;
        }
        if (isCoded(client.getHeaders())) {
            Refusal.CODED.send(call, call.answer(), call.end());
            return true;
        }
        if (!places.tryAcquire()) {
            Refusal.BUSY.send(call, call.answer(), call.end());
            return true;
        }
        Request.addCompletionListener(client, failure -> places.release());
        return super.handle(call, call.answer(), call.end());
    }

    /** Whether a message has more done to it for the wire than to be cut into chunks: only the chunks are taken off and put on again here. */
    private static boolean isCoded(HttpFields headers) {
        return headers.getCSV(HttpHeader.TRANSFER_ENCODING, false).stream()
                .anyMatch(coding -> !HttpHeaderValue.CHUNKED.is(coding) && !HttpHeaderValue.IDENTITY.is(coding));
    }

    @Override
    protected HttpURI rewriteHttpURI(Request client) {
        return client.getHttpURI();
    }

    @Override
    protected org.eclipse.jetty.client.Request newProxyToServerRequest(Request client, HttpURI uri) {
        org.eclipse.jetty.client.Request request =
                new AsWritten(getHttpClient(), upstream, uri.getPathQuery()).method(client.getMethod());
        ((ForwardedCall) client).goesAs(request, bodies, options.bodyPauseMax().toNanos());
        return request;
    }

    /** None but what is between this proxy and the server. */
    @Override
    protected void addProxyHeaders(Request client, org.eclipse.jetty.client.Request request) {
        request.headers(headers -> {
            headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
            if (client.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)) {
                // Jetty would send a body in chunks of POST and PUT only, and of others as it is: the server would take
                // it
                // for the next request.
                headers.put(HttpHeader.TRANSFER_ENCODING, HttpHeaderValue.CHUNKED.asString());
            }
        });
    }

    @Override
    protected void sendProxyToServerRequest(
            Request client, org.eclipse.jetty.client.Request request, Response answer, Callback callback) {
        if (request.getBody() == null) {
            ((ForwardedCall) client).watchClient();
        }
        super.sendProxyToServerRequest(client, request, answer, callback);
    }

    @Override
    protected CompleteListener newServerToProxyResponseListener(
            Request client, org.eclipse.jetty.client.Request request, Response answer, Callback callback) {
        return new HeadFirst(client, request, answer, callback);
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
        ForwardedCall call = (ForwardedCall) client;
        if (call.clientGone() || answer.isCommitted()) {
            callback.failed(failure);
            return;
        }
        Refusal why = call.givenUp();
        if (why == null) {
            why = failure instanceof TimeoutException ? Refusal.LATE : Refusal.UNREACHABLE;
            long count = unanswered.incrementAndGet();
            if (Long.bitCount(count) == 1) {
                // Its message would be pages of Jetty's insides.
                LOG.warn(
                        "{} did not answer a request ({} so far): {}",
                        upstream,
                        count,
                        failure.getClass().getSimpleName());
            }
        }
        why.send(client, answer, callback);
    }

    /** A request whose target goes as it was written: taken apart as a URI, {@code //v1/models} would be a host and a path. */
    private static final class AsWritten extends HttpRequest {
        private final String path;
        private final String query;

        AsWritten(HttpClient client, URI server, String target) {
            super(client, new HttpConversation(), server);
            int mark = target.indexOf('?');
            path = mark < 0 ? target : target.substring(0, mark);
            query = mark < 0 ? null : target.substring(mark + 1);
        }

        @Override
        public String getPath() {
            return path;
        }

        @Override
        public String getQuery() {
            return query;
        }
    }

    /**
     * Sends the head of an answer of unknown length at once: its first piece may be long in coming. Such an answer goes in chunks even where the connection is closed
     * behind it, so that its client sees whether it is whole.
     */
    private final class HeadFirst extends ProxyResponseListener {
        private final Response answer;

        HeadFirst(Request client, org.eclipse.jetty.client.Request request, Response answer, Callback callback) {
            super(client, request, answer, callback);
            this.answer = answer;
        }

        /** All but what the server says of its connection to this proxy. */
        @Override
        public void onHeaders(org.eclipse.jetty.client.Response response) {
            if (HttpStatus.isInformational(response.getStatus()) || isCoded(response.getHeaders())) {
                // Jetty takes a status that it does not know for the answer; the client would go on waiting for that.
                Future<Boolean> unused = response.abort(new IOException("an answer with status " + response.getStatus()
                        + ", Transfer-Encoding " + response.getHeaders().get(HttpHeader.TRANSFER_ENCODING)));
                return;
            }
            super.onHeaders(response);
            response.getHeaders().getCSV(HttpHeader.CONNECTION, false).forEach(answer.getHeaders()::remove);
        }

        /** The head may be written by another thread than the one that is here; the source calls back in turn, and must be read in no other. */
        @Override
        public void onContentSource(org.eclipse.jetty.client.Response response, Content.Source source) {
            if (answer.isCommitted() || endsKnown(response)) {
                super.onContentSource(response, source);
                return;
            }
            // What may have trailers goes in chunks.
            answer.setTrailersSupplier(response::getTrailers);
            Runnable next = Invocable.from(InvocationType.NON_BLOCKING, () -> onContentSource(response, source));
            answer.write(
                    false,
                    BufferUtil.EMPTY_BUFFER,
                    Callback.from(InvocationType.NON_BLOCKING, () -> source.demand(next), failure -> {
                        Future<Boolean> unused = response.abort(failure);
                    }));
        }

        /** Whether it is known from the head: of an answer without a body it is the head's end, and its client may ask again at once. */
        private boolean endsKnown(org.eclipse.jetty.client.Response response) {
            return answer.getHeaders().contains(HttpHeader.CONTENT_LENGTH)
                    || HttpStatus.hasNoBody(response.getStatus())
                    || HttpMethod.HEAD.is(response.getRequest().getMethod());
        }

        /** An answer is whole, too, where the server did not want all of the request for it. */
        @Override
        public void onComplete(Result result) {
            super.onComplete(
                    result.getResponseFailure() == null
                            ? new Result(result.getRequest(), result.getResponse())
                            : result);
        }
    }
}
