/** The console in a real browser, beside a real loop. */
package io.tailrace.e2e.console;
