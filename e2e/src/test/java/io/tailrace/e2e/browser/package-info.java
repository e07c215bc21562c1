/** The pages that people look at in a real browser: the console beside a real loop, and the report of a replay. */
package io.tailrace.e2e.browser;
