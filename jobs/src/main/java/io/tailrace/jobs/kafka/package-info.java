/**
 * Between topics and operators: what Flink's Kafka connector needs to read and write Tailrace's records.
 *
 * <p>{@link io.tailrace.jobs.kafka.KafkaEnds} builds the sources and the exactly-once sinks from the options.
 *
 * <pre>{@code
 * KafkaEnds ends = new KafkaEnds(options.kafka(), options.kafka().keys());
 * env.fromSource(ends.continued(Topic.GENERATIONS), WatermarkStrategy.noWatermarks(), "generations");
 * }</pre>
 *
 * <p>Nothing here decodes a record: bytes come in and go out as they are.
 */
package io.tailrace.jobs.kafka;
