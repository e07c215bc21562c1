/**
 * {@code tailrace demo}: the whole loop on this machine, with figures at the end.
 *
 * <p>{@link io.tailrace.lab.demo.DemoCommand} starts the loop, serves a {@link io.tailrace.lab.demo.DemoWorkload} through it,
 * watches it from its topics and judges the outcome. {@link io.tailrace.lab.demo.EngineDemo} does the same with two stock engines that really
 * compute.
 *
 * <pre>{@code
 * int exitCode = Tailrace.commandLine().execute("demo", "--requests", "300", "--json", "demo.json");
 * }</pre>
 *
 * <p>The loop itself lives in module local; nothing here is needed to run it elsewhere.
 */
package io.tailrace.lab.demo;
