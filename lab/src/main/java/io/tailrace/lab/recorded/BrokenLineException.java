package io.tailrace.lab.recorded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

/** A line that breaks a rule: which rule, what was found, what to do. Where it stands is said by who reads the file. */
public final class BrokenLineException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final String UTF_8 = "a log is text in UTF-8";

    private final String rule;
    private final String value;
    private final String remedy;

    public BrokenLineException(String rule, String value, String remedy) {
        super("%s, got %s; %s".formatted(rule, value, remedy), null, false, false);
        this.rule = rule;
        this.value = value;
        this.remedy = remedy;
    }

    /**
     * Text that is not in UTF-8.
     *
     * @param where it was found, or empty
     */
    public static BrokenLineException notUtf8(String where) {
        return new BrokenLineException(
                UTF_8,
                "bytes that are none" + where,
                "write it anew in UTF-8, such as with iconv -f WINDOWS-1252 -t UTF-8");
    }

    /**
     * JSON that cannot be parsed.
     *
     * @param got what was found, if neither bytes that are no UTF-8, nor what is over a limit
     * @param where it was found, or empty
     */
    public static BrokenLineException ofJson(
            JsonProcessingException e, String rule, String got, String where, String remedy) {
        String why = e.getOriginalMessage();
        if (why.startsWith("Invalid UTF-8")) {
            return notUtf8(where);
        }
        boolean limit = e instanceof StreamConstraintsException;
        return new BrokenLineException(rule, (limit ? overLimit(why) : got) + where, remedy);
    }

    /** Jackson says what is too long, how long it may be, and which of its settings that is. */
    private static String overLimit(String why) {
        return "JSON over a limit: " + why.replaceAll(", from `[^`]*`", "");
    }

    /** Whether it is not in UTF-8. */
    public boolean isEncoding() {
        return rule.equals(UTF_8);
    }

    public String rule() {
        return rule;
    }

    public String value() {
        return value;
    }

    public String remedy() {
        return remedy;
    }
}
