/** A Flink cluster of processes on this machine, as {@code tailrace cluster} runs it. */
package io.tailrace.e2e.cluster;
