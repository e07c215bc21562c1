/** Serving as clients and operators meet it: over HTTP in the whole loop, and with workers and brokers as processes of their own that are stopped, killed, and run for long. */
package io.tailrace.e2e.serving;
