package io.tailrace.worker.http;

import io.tailrace.worker.engine.DecodeRequest;

/**
 * A client's call, understood.
 *
 * @param chat whether it came to the chat endpoint
 * @param request what to decode
 * @param stream answer as server-sent events
 * @param streamUsage and with the usage in a last event
 * @param report answer with what speculation did
 */
record Call(boolean chat, DecodeRequest request, boolean stream, boolean streamUsage, boolean report) {}
