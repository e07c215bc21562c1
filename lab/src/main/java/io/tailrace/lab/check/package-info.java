/**
 * Holds the records of a topic against the job's rules of admission: {@code check} with {@code --bootstrap}. What it does with files is
 * {@link io.tailrace.lab.convert.CheckCommand}.
 *
 * <pre>{@code
 * tailrace check --bootstrap localhost:9092 --records 1000
 * }</pre>
 *
 * <p>It only reads: it joins no consumer group and commits nothing.
 */
package io.tailrace.lab.check;
