package io.tailrace.lab.recorded;

/** A line that breaks a rule: which rule, what was found, what to do. Where it stands is said by who reads the file. */
public final class BrokenLineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String rule;
    private final String value;
    private final String remedy;

    public BrokenLineException(String rule, String value, String remedy) {
        super("%s, got %s; %s".formatted(rule, value, remedy), null, false, false);
        this.rule = rule;
        this.value = value;
        this.remedy = remedy;
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
