/**
 * What stands beside any serving engine, and knows no model: it follows snapshots, remembers fresh answers, drafts for many requests, says how
 * much of a draft to verify, and reports.
 *
 * <p>{@link io.tailrace.client.TailraceClient} is all of it, opened with {@link io.tailrace.client.ClientOptions}. An engine in sixty lines
 * that stands on it is {@code SmallEngine}, among this module's tests.
 *
 * <pre>{@code
 * try (TailraceClient client = TailraceClient.open(options); DraftSource drafts = client.drafts(8)) {
 *     client.start();
 *     RequestDrafts request = drafts.begin("acme", prompt);
 *     ... // steps, with a DraftPlan and a BudgetChoice
 *     client.finished(served);
 * }
 * }</pre>
 *
 * <p>Its face, for whoever writes an engine or an adapter, is the public types of this package and of its children {@code follow},
 * {@code draft}, {@code budget}, {@code verification} and {@code report}: twenty-six. Packages named {@code internal} serve the modules that
 * are built with this one, and change with them. The client neither verifies nor loads a model, and it logs no token.
 */
package io.tailrace.client;
