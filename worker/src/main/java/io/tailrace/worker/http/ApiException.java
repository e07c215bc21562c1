package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.worker.engine.RefusedRequestException;

/** An answer that is an error, in the shape that OpenAI's clients read. */
final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String INVALID = "invalid_request_error";

    private final int status;
    private final String type;
    private final String parameter;
    private final String code;

    ApiException(int status, String type, String parameter, String code, String message) {
        super(message);
        this.status = status;
        this.type = type;
        this.parameter = parameter;
        this.code = code;
    }

    /** 400: a parameter is wrong. */
    static ApiException invalid(String parameter, String message) {
        return new ApiException(400, INVALID, parameter, "invalid_value", message);
    }

    /** 400: a header that says whose a call is, and stands there more than once. */
    static ApiException repeated(String header) {
        return new ApiException(
                400, INVALID, null, "invalid_value", "header %s comes more than once; send it once".formatted(header));
    }

    /** 400: a parameter that this server does not understand, and must not ignore. */
    static ApiException unsupported(String parameter, String what) {
        return new ApiException(400, INVALID, parameter, "unsupported_parameter", what);
    }

    /** 404: another model. */
    static ApiException unknownModel(String asked, String served) {
        return new ApiException(
                404,
                INVALID,
                "model",
                "model_not_found",
                "the model '%s' is not served here; this worker serves '%s'".formatted(asked, served));
    }

    /** 401: the key is missing or wrong. */
    static ApiException unauthorized() {
        return new ApiException(
                401,
                "authentication_error",
                null,
                "invalid_api_key",
                "give a valid key as 'Authorization: Bearer KEY'");
    }

    /** 405: by another method than POST. */
    static ApiException notPosted(String method) {
        return new ApiException(
                405, INVALID, null, "method_not_allowed", "send this call by POST, not by %s".formatted(method));
    }

    /** 413: more bytes than a request may have. */
    static ApiException tooLarge(long bytesMax) {
        return new ApiException(
                413, INVALID, null, "request_too_large", "the request has more than %d bytes".formatted(bytesMax));
    }

    /** 408: the body did not come in time. */
    static ApiException tooSlow(long millisMax) {
        return new ApiException(
                408,
                INVALID,
                null,
                "request_timeout",
                "the request was not here whole after %d ms; send it at once".formatted(millisMax));
    }

    /** 408: nothing more of the body came. */
    static ApiException silent() {
        return new ApiException(408, INVALID, null, "request_timeout", "the rest of the request did not come");
    }

    /** 429: others are served. */
    static ApiException crowded() {
        return new ApiException(
                429, "rate_limit_error", null, "too_many_requests", "too many requests at once; send it again later");
    }

    /** 400 or its like: the body broke off, or was not framed as HTTP has it. */
    static ApiException brokenBody(int status) {
        return new ApiException(
                status, INVALID, null, "invalid_value", "the body of the request cannot be read to its end");
    }

    /** 500: this server is wrong. */
    static ApiException broken() {
        return new ApiException(
                500, "server_error", null, "internal_error", "the request failed inside the server; its log says why");
    }

    /** 503: the worker ended before the answer did. */
    static ApiException cutShort() {
        return new ApiException(
                503,
                "server_error",
                null,
                "stopping",
                "this worker stopped before the answer was complete; ask another one");
    }

    static ApiException of(RefusedRequestException refused) {
        return switch (refused.reason()) {
            case TOO_LONG -> new ApiException(400, INVALID, "prompt", "context_length_exceeded", refused.getMessage());
            case INVALID -> invalid(null, refused.getMessage());
            case QUEUE_FULL -> new ApiException(429, "rate_limit_error", null, "queue_full", refused.getMessage());
            case STOPPING -> new ApiException(503, "server_error", null, "stopping", refused.getMessage());
        };
    }

    int status() {
        return status;
    }

    ObjectNode body() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("error")
                .put("message", getMessage())
                .put("type", type)
                .put("param", parameter)
                .put("code", code);
        return body;
    }
}
