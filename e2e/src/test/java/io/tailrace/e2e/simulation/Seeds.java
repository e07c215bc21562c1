package io.tailrace.e2e.simulation;

import java.util.Properties;
import java.util.stream.LongStream;

/**
 * Which lives are lived.
 *
 * @param from the first
 * @param count how many follow each other, at least 1
 */
record Seeds(long from, long count) {
    private static final String ALONE = "tailrace.simulation.seed";
    private static final String COUNT = "tailrace.simulation.seeds";
    private static final String FROM = "tailrace.simulation.from";
    private static final long USUAL = 100;

    Seeds {
        if (count < 1 || from > Long.MAX_VALUE - count) {
            throw new IllegalArgumentException(
                    "-D%s must be at least 1, and end within a long, got %d from %d on".formatted(COUNT, count, from));
        }
    }

    /** One seed alone, or so many from one on; what is no plain whole number is refused. */
    static Seeds of(Properties given) {
        if (given.containsKey(ALONE)) {
            return new Seeds(number(given, ALONE, 0), 1);
        }
        return new Seeds(number(given, FROM, 0), number(given, COUNT, USUAL));
    }

    private static long number(Properties given, String name, long usual) {
        String text = given.getProperty(name);
        try {
            return text == null ? usual : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "-D%s must be a whole number in digits, as 10000, got \"%s\"".formatted(name, text), e);
        }
    }

    LongStream stream() {
        return LongStream.range(from, from + count);
    }
}
