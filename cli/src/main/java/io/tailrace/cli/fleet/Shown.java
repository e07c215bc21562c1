package io.tailrace.cli.fleet;

import java.time.Duration;

/** Text and times from records, as a terminal or a page may show them. */
public final class Shown {
    /** Longer text is cut: a record may be of megabytes. */
    static final int CHARS_MAX = 1_000;

    private Shown() {}

    /** Without what would move a terminal's cursor, and not too long; null stays null. */
    public static String text(String said) {
        if (said == null) {
            return null;
        }
        String cut = said.length() <= CHARS_MAX ? said : said.substring(0, CHARS_MAX) + "...";
        return cut.codePoints()
                .map(character -> isPlain(character) ? character : ' ')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isPlain(int character) {
        int type = Character.getType(character);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }

    /** A time that has passed, in its two largest units, such as {@code 2 h 5 min}. */
    public static String age(long millis) {
        Duration age = Duration.ofMillis(Math.max(0, millis));
        if (age.toDays() > 0) {
            return "%d d %d h".formatted(age.toDays(), age.toHoursPart());
        }
        if (age.toHours() > 0) {
            return "%d h %d min".formatted(age.toHours(), age.toMinutesPart());
        }
        return age.toMinutes() > 0
                ? "%d min %d s".formatted(age.toMinutes(), age.toSecondsPart())
                : age.toSeconds() + " s";
    }
}
