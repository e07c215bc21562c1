/**
 * What a loop whose parts run apart needs besides them: synthetic traffic as a file for {@code worker --input}.
 *
 * <p>{@link io.tailrace.cli.fleet.TrafficCommand} writes one file a worker; docker-compose.yml and deploy/by-hand.sh start it.
 *
 * <pre>{@code
 * tailrace traffic --requests 20000 --seed 1 --id-prefix w1- worker-1.jsonl.gz
 * }</pre>
 *
 * <p>The traffic itself is made in {@code io.tailrace.local.traffic}.
 */
package io.tailrace.cli.fleet;
