/** Stock engines in the whole loop: two vLLM with a real model, an agent beside each, and whatever may happen to agents, broker, versions and engines. */
package io.tailrace.e2e.engine;
