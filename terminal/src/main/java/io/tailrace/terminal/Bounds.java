package io.tailrace.terminal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Locale;

/** Bounds of an option with a number, or with several; checked by {@link ConfiguredCommandLine}, and named in the reference of options. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface Bounds {
    double min() default Double.NEGATIVE_INFINITY;

    double max() default Double.POSITIVE_INFINITY;

    /** Whether {@link #min} itself is out of bounds. */
    boolean above() default false;

    /** The bounds in words. */
    final class Words {
        private Words() {}

        /** Such as {@code 1 to 64}, {@code at least 1}. */
        public static String of(Bounds bounds) {
            if (bounds.max() == Double.POSITIVE_INFINITY) {
                return (bounds.above() ? "above " : "at least ") + plain(bounds.min());
            }
            return bounds.min() == Double.NEGATIVE_INFINITY
                    ? "at most " + plain(bounds.max())
                    : bounds.above()
                            ? "above %s, at most %s".formatted(plain(bounds.min()), plain(bounds.max()))
                            : plain(bounds.min()) + " to " + plain(bounds.max());
        }

        static boolean holds(Bounds bounds, double value) {
            return (bounds.above() ? value > bounds.min() : value >= bounds.min()) && value <= bounds.max();
        }

        static String plain(double value) {
            return value == Math.rint(value) && Math.abs(value) < 1e15
                    ? Long.toString((long) value)
                    : String.format(Locale.ROOT, "%s", value);
        }
    }
}
