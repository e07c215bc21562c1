/** Timers that fire in time although the time of day jumps. */
package io.tailrace.operators.timers;
