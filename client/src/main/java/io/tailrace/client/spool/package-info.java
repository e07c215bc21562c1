/**
 * Reports on disk until Kafka has them: a broker that is away, or a worker that is killed, loses none of them.
 *
 * <p>{@link io.tailrace.client.spool.Spool} is an append-only queue of files with a bound; {@link io.tailrace.client.spool.SpoolSender}
 * is the thread that empties it into Kafka; {@link io.tailrace.client.spool.SpooledReporter} is the
 * {@link io.tailrace.client.report.Reporter} on top.
 *
 * <pre>{@code
 * try (Spool spool = Spool.open(folder, 256 << 20)) {
 *     spool.append(new SpoolRecord("generations", key, value));
 *     SpoolBatch batch = spool.peek(500, 1 << 20, waitMillis);
 *     spool.advance(batch, batch.size());
 * }
 * }</pre>
 *
 * <p>A record may be sent twice (a crash between sending and noting it): the job drops repeats of a generation. Files hold user
 * data; keep the folder as private as topic generations.
 */
package io.tailrace.client.spool;
