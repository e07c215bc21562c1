/**
 * The HTTP side of a serving worker: OpenAI's API for completions and chats, metrics and health, on one server.
 *
 * <p>{@link io.tailrace.worker.http.ServingEndpoint} is the server; {@link io.tailrace.worker.http.CallReader} reads what a client
 * asks; {@link io.tailrace.worker.http.AnswerQueue} brings tokens from the decode thread to the client's;
 * {@link io.tailrace.worker.http.ApiException} is every error, in OpenAI's shape.
 *
 * <pre>{@code
 * try (ServingEndpoint endpoint = ServingEndpoint.start(options, backend)) {
 *     System.out.println("http://localhost:" + endpoint.port() + "/v1");
 * }
 * }</pre>
 *
 * <p>It decodes nothing, and logs no text.
 */
package io.tailrace.worker.http;
