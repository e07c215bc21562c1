package io.tailrace.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;

/**
 * Checks that code which reads bytes from outside allocates in proportion to them. A claimed length that is believed before its bytes have
 * come shows here: twenty bytes must not cost a megabyte.
 */
public final class AllocationLimit {
    /** What any input may cost. */
    private static final long BYTES_MIN = 1 << 20;
    /** What each byte of input may cost: objects and copies. */
    private static final long BYTES_EACH = 1_024;
    /** A fuzzer's hooks into the code allocate, too. */
    private static final long HOOKED =
            System.getProperty("sun.java.command", "").startsWith("com.code_intelligence.jazzer.Jazzer") ? 4 : 1;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocationLimit() {}

    /**
     * Runs code in this thread; once more if it took too much, since the first time it may have loaded classes.
     *
     * @param inputBytes length of what it reads
     * @throws AssertionError if it allocated more than such an input may cost, whether it gave a value or threw
     */
    public static <T> T check(int inputBytes, Callable<T> code) throws Exception {
        long max = BYTES_MIN + HOOKED * BYTES_EACH * inputBytes;
        Run<T> run = Run.of(code);
        if (run.allocatedBytes > max) {
            run = Run.of(code);
        }
        if (run.allocatedBytes > max) {
            throw new AssertionError(
                    "an input of %,d bytes may allocate at most %,d bytes, it took %,d"
                            .formatted(inputBytes, max, run.allocatedBytes),
                    run.thrown);
        }
        if (run.thrown != null) {
            throw run.thrown;
        }
        return run.value;
    }

    /** What came of the code, and what it took. */
    private record Run<T>(T value, Exception thrown, long allocatedBytes) {
        static <T> Run<T> of(Callable<T> code) {
            T value = null;
            Exception thrown = null;
            long before = THREADS.getCurrentThreadAllocatedBytes();
            try {
                value = code.call();
            } catch (Exception e) {
                thrown = e;
            }
            return new Run<>(value, thrown, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
    }
}
