/**
 * Creates the topics that {@link io.tailrace.schemas.Topic} describes.
 *
 * <pre>{@code
 * TopicCreation.create(Map.of("bootstrap.servers", "localhost:9092"), "", (short) 3);
 * }</pre>
 *
 * <p>Topics that are there already are left as they are.
 */
package io.tailrace.jobs.topics;
