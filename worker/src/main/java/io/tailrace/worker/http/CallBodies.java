package io.tailrace.worker.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Stands before the endpoint and lets calls through when their bodies are there: until then a call has no thread. The key is checked first, by the
 * head alone. So many calls have a thread at once and no more, which leaves threads for what operators ask.
 */
final class CallBodies extends Handler.Wrapper {
    private static final String BODY = CallBodies.class.getName();
    private static final int BODIES_MAX = 512;
    /** So many of the largest bodies may be read at once. */
    private static final int LARGEST_BODIES = 16;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final EndpointOptions options;
    private final Callers callers;
    private final BodyReads reads;
    private final Semaphore calls;

    CallBodies(EndpointOptions options, Callers callers) {
        this.options = options;
        this.callers = callers;
        this.reads = new BodyReads(BODIES_MAX, LARGEST_BODIES * options.requestBytesMax());
        this.calls = new Semaphore(options.connectionsMax());
    }

    /**
     * Takes the body of a call that was let through: it is not kept until the call is answered.
     *
     * @throws ApiException if it was none with a body: a header can name another method than the request line
     */
    static byte[] of(jakarta.servlet.http.HttpServletRequest call) {
        byte[] body = (byte[]) call.getAttribute(BODY);
        if (body == null) {
            throw ApiException.notPosted(call.getMethod());
        }
        call.removeAttribute(BODY);
        return body;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!HttpMethod.POST.is(request.getMethod())) {
            return super.handle(request, response, callback);
        }
        try {
            callers.scope(request.getHeaders()::getValuesList);
            if (request.getLength() > options.requestBytesMax()) {
                throw ApiException.tooLarge(options.requestBytesMax());
            }
        } catch (ApiException e) {
            refuse(request, response, callback, e);
            return true;
        }
        new BodyRead(request, options.requestBytesMax(), reads, new BodyRead.End() {
                    @Override
                    public void whole(byte[] body, boolean late) {
                        request.setAttribute(BODY, body);
                        letThrough(request, response, callback, late);
                    }

                    @Override
                    public void failed(ApiException why) {
                        refuse(request, response, callback, why);
                    }
                })
                .begin(options.bodyMillisMax());
        return true;
    }

    private void letThrough(Request request, Response response, Callback callback, boolean late) {
        if (!calls.tryAcquire()) {
            refuse(request, response, callback, ApiException.crowded());
        } else if (late) {
            request.getComponents().getExecutor().execute(() -> answer(request, response, callback));
        } else {
            answer(request, response, callback);
        }
    }

    private void answer(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable e) {
            Response.writeError(request, response, callback, e);
        } finally {
            calls.release();
        }
    }

    /** What is left of the body is not waited for: the connection ends behind the answer. */
    private static void refuse(Request request, Response response, Callback callback, ApiException why) {
        byte[] body;
        try {
            body = JSON.writeValueAsBytes(why.body());
        } catch (JsonProcessingException e) {
            Response.writeError(request, response, callback, e);
            return;
        }
        if (!request.consumeAvailable()) {
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        response.setStatus(why.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        if (why.status() == HttpStatus.TOO_MANY_REQUESTS_429) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
        }
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
