/**
 * Recorded requests as input: JSON lines, plain, gzip or zstd, read lazily and checked line by line.
 *
 * <p>{@link io.tailrace.lab.recorded.RecordedInput} is an iterator of {@link io.tailrace.lab.recorded.RecordedRequest}. One
 * object a line: {@code id}, {@code prompt} and {@code response} (arrays of token ids), optional {@code parent} (then the full
 * prompt is the parent's full prompt, the parent's response and the own {@code prompt}), {@code session}, {@code workload},
 * {@code scope}. Unknown fields are ignored.
 *
 * <pre>{@code
 * try (RecordedInput input = RecordedInput.strict(files, RecordedInputOptions.of(100_277))) {
 *     while (input.hasNext()) {
 *         worker.serve(input.next());
 *     }
 * }
 * }</pre>
 *
 * <p>This package does not pace, serve or tokenise.
 */
package io.tailrace.lab.recorded;
