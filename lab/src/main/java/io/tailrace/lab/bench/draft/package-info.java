/**
 * Measures how long a draft takes on a large lane: real answers in real, mapped segment files, laid out as the job leaves
 * them. The main type is {@link io.tailrace.lab.bench.draft.DraftBench}:
 *
 * <pre>{@code
 * DraftBench.Report report = DraftBench.run(options, System.out::println);
 * }</pre>
 *
 * <p>What drafts are worth is not asked here; that is {@link io.tailrace.lab.replay}.
 */
package io.tailrace.lab.bench.draft;
