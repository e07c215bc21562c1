/**
 * Suffix indexes over token sequences, the files they live in, and drafts grown from them for speculative decoding. Needs the JDK only and
 * never logs.
 *
 * <ul>
 *   <li>{@link io.tailrace.suffix}: what an index answers, and an index of one sequence that grows;
 *   <li>{@link io.tailrace.suffix.segment}: indexes of many sequences, in memory and in files;
 *   <li>{@link io.tailrace.suffix.draft}: drafts from them, and what learns from their verification.
 * </ul>
 *
 * <p>The other packages serve the modules that are built with this one, and change with them.
 */
@SuppressWarnings("module")
module io.tailrace.suffix {
    exports io.tailrace.suffix;
    exports io.tailrace.suffix.draft;
    exports io.tailrace.suffix.segment;
    exports io.tailrace.suffix.cost to
            io.tailrace.client,
            io.tailrace.lab,
            io.tailrace.operators,
            io.tailrace.worker;
    exports io.tailrace.suffix.learn to
            io.tailrace.client,
            io.tailrace.lab,
            io.tailrace.operators;
    exports io.tailrace.suffix.order to
            io.tailrace.lab;
    exports io.tailrace.suffix.snapshot to
            io.tailrace.client,
            io.tailrace.lab,
            io.tailrace.operators;
    exports io.tailrace.suffix.strategy to
            io.tailrace.lab,
            io.tailrace.operators,
            io.tailrace.strategies,
            io.tailrace.worker;

    uses io.tailrace.suffix.strategy.Strategy;
}
