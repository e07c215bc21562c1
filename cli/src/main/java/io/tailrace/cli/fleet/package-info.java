/**
 * Commands for a loop whose parts run apart: {@code worker}, {@code topics create}, {@code traffic}.
 *
 * <p>{@link io.tailrace.cli.fleet.WorkerCommand} is one worker as a process of its own; docker-compose.yml and
 * deploy/kubernetes start it.
 *
 * <pre>{@code
 * tailrace worker --bootstrap kafka:9092 --store http://store:8080/segments/ --name worker-1 \
 *     --model synthetic@1,vocabulary=32768,tokenizer=synthetic-words --input requests.jsonl.gz
 * }</pre>
 *
 * <p>This package holds options and words only; what they start lies in {@code worker}, {@code jobs} and {@code local}.
 */
package io.tailrace.cli.fleet;
