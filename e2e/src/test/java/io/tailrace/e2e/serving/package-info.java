/** Serving as operators run it, with workers and brokers as processes of their own: stopped, killed, and run for long. */
package io.tailrace.e2e.serving;
