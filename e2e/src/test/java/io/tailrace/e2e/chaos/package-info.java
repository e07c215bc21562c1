/** The chaos programme as a test: real processes, broken for some minutes. */
package io.tailrace.e2e.chaos;
