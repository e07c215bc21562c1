/**
 * The laboratory: everything that measures Tailrace, and the demo. No part of the product knows it; the launcher finds its commands by
 * {@link io.tailrace.cli.CommandGroup}.
 *
 * <table>
 * <caption>Where things stand</caption>
 * <tr><th>package</th><th>what it holds</th></tr>
 * <tr><td>{@code recorded}</td><td>recorded requests as input: JSON lines, checked</td></tr>
 * <tr><td>{@code logs}</td><td>logs of other people's servers and tools, as recorded requests</td></tr>
 * <tr><td>{@code convert}</td><td>such logs written as token ids, and held against the job's rules</td></tr>
 * <tr><td>{@code replay}</td><td>recorded requests drafted and verified in order, without Kafka or a model; {@code replay.report} is the command</td></tr>
 * <tr><td>{@code weights}</td><td>the mixer's weights at a replay's start, and their training</td></tr>
 * <tr><td>{@code experiment}</td><td>questions that many replays answer side by side</td></tr>
 * <tr><td>{@code traffic}</td><td>synthetic requests from a seed</td></tr>
 * <tr><td>{@code load}</td><td>workers that follow a running loop and serve recorded requests</td></tr>
 * <tr><td>{@code loop}</td><td>the loop in this process with such workers, and what it says of itself</td></tr>
 * <tr><td>{@code engine}</td><td>stock engines and agents as processes around such a loop</td></tr>
 * <tr><td>{@code demo}</td><td>the loop shown to people</td></tr>
 * <tr><td>{@code chaos}</td><td>an installation of real processes, broken and judged</td></tr>
 * <tr><td>{@code bench}</td><td>times: drafting, indexes, a served model, the whole loop</td></tr>
 * </table>
 *
 * <p>A command stands beside what it runs; {@link io.tailrace.lab.LabCommands.BenchCommand} only lists the measurements. A word for each thing: to
 * <em>replay</em> is to run recorded requests through a drafter to measure it; <em>load</em> is recorded requests served against a loop.
 *
 * <pre>{@code
 * tailrace replay --input requests.jsonl.gz --html report.html
 * tailrace bench index --tokens 5000000 --data recordings --json index.json
 * }</pre>
 *
 * <p>What serves, indexes or drafts for people does not belong here, and nothing here is needed to run it. A new strategy of somebody
 * else's belongs into module {@code strategies}, a dull twin of a data structure into {@code testkit}.
 */
package io.tailrace.lab;
