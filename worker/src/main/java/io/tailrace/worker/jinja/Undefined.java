package io.tailrace.worker.jinja;

/** What a name or attribute stands for that is not there: empty as text and list, false, and otherwise refused. */
final class Undefined {
    private static final int SHOWN_MAX = 100;

    private final String words;
    private final Object value;
    private final Object name;

    /** A name or item that is missing; the words are made when somebody asks for more than it is. */
    private Undefined(String words, Object value, Object name) {
        this.words = words;
        this.value = value;
        this.name = name;
    }

    /** What is missing, in words. */
    Undefined(String words) {
        this(words, null, null);
    }

    static Undefined name(String name) {
        return new Undefined("'%2$s' is undefined", null, name);
    }

    static Undefined attribute(Object value, Object name) {
        return new Undefined("'%s object' has no attribute '%s'", value, name);
    }

    private static String shown(Object name) {
        String shown = name instanceof String || name instanceof Long ? name.toString() : Values.type(name);
        return shown.length() > SHOWN_MAX ? shown.substring(0, SHOWN_MAX) + "..." : shown;
    }

    JinjaException refuse() {
        return new JinjaException(name == null ? words : words.formatted(Values.type(value), shown(name)));
    }
}
