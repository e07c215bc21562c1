/**
 * What Tailrace's parts say to each other: Avro records, topic names and the codec that puts one into bytes.
 *
 * <p>The records ({@link io.tailrace.schemas.Generation}, {@link io.tailrace.schemas.SnapshotManifest}, ...) are generated
 * from {@code src/main/avro}. {@link io.tailrace.schemas.RecordCodec} writes them as Avro single-object encoding, so a record
 * names its own schema and no registry server is needed; every schema version that was ever written stays readable.
 *
 * <pre>{@code
 * byte[] bytes = RecordCodec.GENERATION.encode(generation);
 * Generation again = RecordCodec.GENERATION.decode(bytes);
 * String topic = Topic.GENERATIONS.name("staging-");
 * }</pre>
 *
 * <p>This package does not know Kafka, Flink or the index: it holds contracts only.
 */
package io.tailrace.schemas;
