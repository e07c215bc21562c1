package io.tailrace.testkit;

import java.util.Locale;
import java.util.concurrent.Callable;

/** A machine as in Egypt: where it is told no locale, Java writes numbers in other digits. */
public final class ForeignDigits {
    private ForeignDigits() {}

    /** Does something there, while nothing else runs in this process. */
    public static <T> T there(Callable<T> work) throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            if (String.format(Locale.getDefault(), "%d", 1).equals("1")) {
                throw new IllegalStateException("this Java writes Latin digits in ar-EG");
            }
            return work.call();
        } finally {
            Locale.setDefault(before);
        }
    }
}
