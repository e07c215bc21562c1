/**
 * Logs of other people's servers and tools, as recorded requests.
 *
 * <p>{@link io.tailrace.lab.logs.Logs} opens a file. How it is laid out (lines, JSON, CSV, Parquet, an engine's log) and what its records look like
 * (OpenAI's API, ShareGPT, LiteLLM, Langfuse, columns) are told apart: {@code LogFile} makes records of any layout, and a {@code LogShape}
 * makes requests of a record. {@code LogTokenizer} makes token ids of them, as a server would.
 *
 * <pre>{@code
 * try (RecordedRequests requests = logs.open(file, RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED), badLine -> {}, out::println)) {
 *     requests.forEachRemaining(stream::add);
 * }
 * }</pre>
 *
 * <p>Token ids themselves are read by {@link io.tailrace.lab.recorded.RecordedInput}. Nothing here drafts.
 */
package io.tailrace.lab.logs;
