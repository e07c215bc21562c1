/**
 * The co-lexicographic order of a text, which is a suffix automaton's link tree laid flat: all end positions sorted by the
 * text read backwards from them. {@link io.tailrace.suffix.order.CoLexOrder} makes it, {@link
 * io.tailrace.suffix.order.CoLexSearch} searches it.
 *
 * <pre>{@code
 * int[] text = {5, 6, 7, -1, 6, 7, 8, -1};
 * CoLexOrder sorted = CoLexOrder.of(text, text.length); // order 0, 4, 1, 5; ends 2, 6
 * }</pre>
 *
 * <p>This package knows arrays and buffers only: no files, no lanes, no times.
 */
package io.tailrace.suffix.order;
