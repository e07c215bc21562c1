/**
 * Pages of {@code docs/how-to} that say what to type, typed: their commands run as processes in a folder of their own, against a broker of the
 * test. {@link io.tailrace.e2e.runbook.PageRun} types, {@link io.tailrace.e2e.runbook.RunbooksIT} brings the traffic and the disaster.
 */
package io.tailrace.e2e.runbook;
