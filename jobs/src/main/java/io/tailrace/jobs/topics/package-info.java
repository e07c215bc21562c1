/**
 * Creates Tailrace's topics.
 *
 * <p>{@link io.tailrace.jobs.topics.TopicCreation} makes each {@link io.tailrace.schemas.Topic} that is missing and says of
 * each that is there whether it is as it should be.
 *
 * <pre>{@code
 * try (Admin admin = Admin.create(properties)) {
 *     List<TopicCreation.Report> reports = new TopicCreation(admin).run("staging-", (short) 3);
 * }
 * }</pre>
 *
 * <p>It changes no topic that exists: repartitioning and cleanup are for people to decide.
 */
package io.tailrace.jobs.topics;
