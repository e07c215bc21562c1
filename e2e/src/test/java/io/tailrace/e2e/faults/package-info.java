/** Processes that are stopped and killed at any moment, and what must be true afterwards. */
package io.tailrace.e2e.faults;
