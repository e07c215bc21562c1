/**
 * The {@code replay} command: what drafting would have given on recorded requests, before anything is installed.
 *
 * <p>{@link io.tailrace.lab.replay.report.ReplayCommand} reads options in three groups (what, who, how), lets
 * {@link io.tailrace.lab.replay.ReplaySuite} do the work, and shows it as tables, JSON and a page with charts.
 *
 * <pre>{@code
 * tailrace replay --input requests.jsonl.gz --strategy adaptive,none --html report.html
 * }</pre>
 *
 * <p>Nothing is computed here but what charts need.
 */
package io.tailrace.lab.replay.report;
