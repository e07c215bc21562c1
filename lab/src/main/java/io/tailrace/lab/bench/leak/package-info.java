/**
 * What a caller can learn of what others in its scope were answered, by what it sees of drafting.
 *
 * <p>{@link io.tailrace.lab.bench.leak.LeakBench} starts a worker with a real model. {@link io.tailrace.lab.bench.leak.Victim} is answered,
 * {@link io.tailrace.lab.bench.leak.Attacker} asks over HTTP and keeps what any caller can see, {@link io.tailrace.lab.bench.leak.Channel}
 * makes a score of it. {@link io.tailrace.lab.bench.leak.Membership} tells whether a request was answered,
 * {@link io.tailrace.lab.bench.leak.Extraction} goes after the answer token by token.
 *
 * <pre>{@code
 * LeakBench.Report report = new LeakBench(load, prompts, options, folder).run(line -> {});
 * double auc = report.membership().get(0).auc().value();
 * }</pre>
 *
 * <p>Nothing is simulated: a model runs and a clock is read, so times are the machine's. The attacker is one caller at a time on an idle
 * worker, which is the worst case for timing.
 */
package io.tailrace.lab.bench.leak;
