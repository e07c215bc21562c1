package io.tailrace.worker.huggingface;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;

/** Dates as Python's {@code strftime} writes them in English, on Linux: a minus sign behind the percent sign leaves leading zeros out. */
final class Strftime {
    private static final Map<Character, String> DIRECTIVES = Map.ofEntries(
            Map.entry('a', "EEE"),
            Map.entry('A', "EEEE"),
            Map.entry('b', "MMM"),
            Map.entry('B', "MMMM"),
            Map.entry('d', "dd"),
            Map.entry('m', "MM"),
            Map.entry('y', "yy"),
            Map.entry('Y', "yyyy"),
            Map.entry('j', "DDD"),
            Map.entry('H', "HH"),
            Map.entry('I', "hh"),
            Map.entry('M', "mm"),
            Map.entry('S', "ss"),
            Map.entry('p', "a"),
            Map.entry('F', "yyyy-MM-dd"),
            Map.entry('D', "MM/dd/yy"),
            Map.entry('T', "HH:mm:ss"),
            Map.entry('R', "HH:mm"));

    private Strftime() {}

    /**
     * A moment, written by a pattern.
     *
     * @throws IllegalArgumentException if the pattern has a directive that is not known here
     */
    static String format(String pattern, LocalDateTime moment) {
        LocalDateTime second = moment.truncatedTo(ChronoUnit.SECONDS);
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < pattern.length(); at++) {
            if (pattern.charAt(at) != '%') {
                text.append(pattern.charAt(at));
                continue;
            }
            boolean bare = pattern.startsWith("%-", at);
            at += bare ? 2 : 1;
            String written = at < pattern.length() ? written(pattern.charAt(at), second) : null;
            if (written == null) {
                throw new IllegalArgumentException(
                        "the chat template asks for the date as \"%s\", and that is no pattern that is known here"
                                .formatted(pattern));
            }
            text.append(bare ? written.replaceFirst("^0+(?=.)", "") : written);
        }
        return text.toString();
    }

    private static String written(char directive, LocalDateTime moment) {
        if (directive == '%') {
            return "%";
        }
        String pattern = DIRECTIVES.get(directive);
        return pattern == null
                ? null
                : DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(moment);
    }
}
