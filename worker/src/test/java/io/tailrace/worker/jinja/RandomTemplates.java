package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Templates and values by chance, in the words that chat templates use; most render, some are refused. */
final class RandomTemplates {
    private static final String[] NAMES = {
        "s", "t", "n", "m", "x", "b", "z", "l", "d", "messages", "u", "ns", "i", "v", "tools"
    };
    private static final String[] TEXTS = {
        "",
        "a",
        "ab",
        " a b ",
        "A-b c",
        "é😀z",
        "\\n",
        "x\\ny\\n",
        "it\\'s",
        "<b>&",
        "3",
        "-7",
        "2.5",
        "role",
        "user",
        "%s!",
        "{}|{}",
        "a,b,,c",
        "\\u00e9\\x41",
        "\\q",
        "ǅß",
        "  \\t"
    };
    private static final String[] TEXT_METHODS = {
        "strip()",
        "lstrip()",
        "rstrip()",
        "strip('a ')",
        "upper()",
        "lower()",
        "title()",
        "capitalize()",
        "split()",
        "split(',')",
        "split(' ', 1)",
        "rsplit(' ', 1)",
        "rsplit('a')",
        "splitlines()",
        "startswith('a')",
        "endswith(('b', 'c'))",
        "replace('a', 'bc')",
        "find('b')",
        "count('a')",
        "join(['x', 'y'])",
        "removeprefix('a')",
        "removesuffix('b')",
        "format(n, s)",
        "split(none, 1)",
        "nosuch()"
    };
    private static final String[] FILTERS = {
        "trim",
        "upper",
        "lower",
        "length",
        "string",
        "int",
        "float",
        "list",
        "first",
        "last",
        "join",
        "join(', ')",
        "join('-', attribute='role')",
        "tojson",
        "tojson(indent=2)",
        "tojson(sort_keys=true)",
        "tojson(separators=(',', ':'))",
        "tojson(ensure_ascii=true)",
        "default('q')",
        "default('q', true)",
        "d(0)",
        "replace('a', 'b')",
        "title",
        "capitalize",
        "abs",
        "sort|list",
        "sort(reverse=true)",
        "sort(attribute='role')",
        "sort(case_sensitive=true)",
        "unique|list",
        "reverse|list",
        "items|list",
        "dictsort",
        "map('upper')|list",
        "map('string')|join('.')",
        "map(attribute='role')|list",
        "select|list",
        "select('string')|list",
        "reject('none')|list",
        "selectattr('role', 'equalto', 'user')|list",
        "selectattr('role')|list",
        "rejectattr('content', 'none')|list",
        "rejectattr('role', 'in', ['user', 's'])|list",
        "indent",
        "indent(2, true)",
        "indent(1, blank=true)",
        "format(n)",
        "count",
        "trim('a')",
        "map('length')|list",
        "last|string",
        "map('default', 'e')|list",
        "int(7)",
        "select('gt', 1)|list",
        "first|upper"
    };
    private static final String[] TESTS = {
        "defined",
        "undefined",
        "none",
        "string",
        "number",
        "integer",
        "float",
        "boolean",
        "mapping",
        "iterable",
        "sequence",
        "true",
        "false",
        "odd",
        "even",
        "in [1, 'a', none]",
        "eq 1",
        "ne('a')",
        "gt 1",
        "equalto n",
        "ge(2)",
        "lt 2",
        "le n",
        "!= 'a'"
    };
    private static final String[] OPERATORS = {
        "+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "~", "+",
        "=="
    };
    private static final String[] DATA = {
        "a", " ", "\n", "\n  ", "  \n", "x\ny", "\t", " b ", "\n\n", "<|im|>", "{ }", "é", "\r\n"
    };

    private final Random random;
    private int loops;

    RandomTemplates(long seed) {
        random = new Random(seed);
    }

    /** Values for the names that templates speak of. */
    Map<String, Object> context() {
        Map<String, Object> context = new HashMap<>();
        context.put("s", text());
        context.put("t", text());
        context.put("n", random.nextInt(7) - 2);
        context.put("m", random.nextInt(1000));
        context.put(
                "x",
                random.nextBoolean()
                        ? random.nextInt(100) / 8.0 - 3
                        : random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
        context.put("b", random.nextBoolean());
        context.put("z", null);
        context.put("l", list(2));
        context.put("d", map(2));
        context.put("tools", random.nextBoolean() ? null : List.of(map(2), map(1)));
        List<Object> messages = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            Map<String, Object> message = new HashMap<>();
            message.put("role", pick("user", "assistant", "system", "tool"));
            message.put("content", random.nextInt(4) == 0 ? null : text());
            if (random.nextInt(3) == 0) {
                message.put("n", random.nextInt(5));
            }
            messages.add(message);
        }
        context.put("messages", messages);
        return context;
    }

    private String text() {
        String[] texts = {
            "",
            "a",
            "Hello, you",
            " a\nb ",
            "😀é漢",
            "A B",
            "<x> & 'y' \"z\"",
            "12",
            "-3.5e2",
            "user",
            "a\u0001\u007f\u2028b",
            "aXbXc\r\nd"
        };
        return pick(texts);
    }

    private Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0, 1 -> text();
            case 2 -> random.nextInt(5);
            case 3 -> random.nextInt(9) / 4.0;
            case 4 -> random.nextBoolean();
            case 5 -> null;
            case 6, 7 -> list(depth - 1);
            default -> map(depth - 1);
        };
    }

    private List<Object> list(int depth) {
        List<Object> list = new ArrayList<>();
        boolean mixed = random.nextBoolean();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(mixed ? value(depth) : random.nextInt(9));
        }
        return list;
    }

    private Map<String, Object> map(int depth) {
        Map<String, Object> map = new java.util.LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(pick("role", "k", "n", "B", "a", "items", "é"), value(depth));
        }
        return map;
    }

    String template() {
        loops = 0;
        return body(3) + (random.nextInt(4) == 0 ? "\n" : "");
    }

    private String body(int depth) {
        StringBuilder body = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            body.append(statement(depth));
        }
        return body.toString();
    }

    private String statement(int depth) {
        int kind = random.nextInt(depth > 0 ? 21 : 10);
        return switch (kind) {
            case 0, 1, 2, 3 -> pick(DATA);
            case 4, 5, 6, 7 -> "{{" + sign(false) + " " + expression(3) + " " + sign(false) + "}}";
            case 8 -> tag("set " + pick("i", "u", "v") + " = " + expression(2));
            case 9 ->
                random.nextInt(3) == 0
                        ? "{#" + sign(false) + " c " + sign(false) + "#}"
                        : loops > 0 && random.nextInt(3) == 0 ? tag(pick("break", "continue")) : pick(DATA);
            case 10, 11, 12 ->
                tag("if " + expression(2))
                        + body(depth - 1)
                        + (random.nextBoolean() ? tag("elif " + expression(2)) + body(depth - 1) : "")
                        + (random.nextBoolean() ? tag("else") + body(depth - 1) : "")
                        + tag("endif");
            case 13, 14, 15 -> loop(depth);
            case 16 ->
                tag("set ns = namespace(a=" + expression(1) + ", b=1)") + body(depth - 1)
                        + tag("set ns." + pick("a", "c") + " = " + expression(2)) + "{{ ns.a }}";
            case 17 -> tag("set " + pick("i", "v")) + body(depth - 1) + tag("endset");
            case 18 -> macro(depth);
            case 19 ->
                pick("{% raw %}", "{%- raw -%}", "{% raw -%}") + pick("\n", " ", "") + "{{ x }}\n "
                        + pick("{% endraw %}", "{%- endraw +%}", "{%+ endraw -%}");
            default -> tag("generation") + outside(depth - 1) + tag("endgeneration");
        };
    }

    private String outside(int depth) {
        int before = loops;
        loops = 0;
        String body = body(depth);
        loops = before;
        return body;
    }

    private String loop(int depth) {
        String target = pick("i", "i", "i", "i, v");
        String items = pick(
                "messages",
                "messages",
                "l",
                "range(" + random.nextInt(4) + ")",
                "d",
                "d.items()",
                "d|items",
                "s",
                expression(2));
        String head = tag("for " + target + " in " + items + (random.nextInt(4) == 0 ? " if " + expression(2) : ""));
        loops++;
        String body = body(depth - 1)
                + (random.nextBoolean()
                        ? "{{ loop."
                                + pick(
                                        "index",
                                        "index0",
                                        "first",
                                        "last",
                                        "length",
                                        "revindex",
                                        "revindex0",
                                        "previtem",
                                        "nextitem")
                                + " }}"
                        : "");
        loops--;
        return head + body + (random.nextInt(4) == 0 ? tag("else") + body(depth - 1) : "") + tag("endfor");
    }

    private String macro(int depth) {
        String inner = outside(depth - 1);
        String head = tag("macro f(" + pick("", "i", "i, v=1", "i, v=i, u=none", "i=s") + ")");
        String call =
                "{{ f(" + pick("", "1", "'a', 2", "i='b'", expression(1), "v=2", "1, v=" + expression(1)) + ") }}";
        return head + inner + tag("endmacro") + call;
    }

    private String tag(String words) {
        return "{%" + sign(true) + pick(" ", " ", "  ", "") + words + " " + sign(true) + "%}";
    }

    private String sign(boolean plus) {
        int sign = random.nextInt(8);
        return sign < 3 ? "-" : sign == 3 && plus ? "+" : "";
    }

    private String expression(int depth) {
        if (depth == 0) {
            return simple();
        }
        if (random.nextInt(5) > 0) {
            return switch (random.nextInt(5)) {
                case 0, 1 -> text(depth);
                case 2 -> number(depth);
                case 3 -> list(depth, "messages");
                default -> truth(depth);
            };
        }
        return switch (random.nextInt(18)) {
            case 0, 1, 2 -> expression(depth - 1) + " " + pick(OPERATORS) + " " + expression(depth - 1);
            case 3, 4, 5 -> expression(depth - 1) + pick("|", " | ") + pick(FILTERS);
            case 6 -> "(" + expression(depth - 1) + ")";
            case 7 -> expression(depth - 1) + " is " + pick("", "not ") + pick(TESTS);
            case 8 -> pick("not ", "-", "+") + expression(depth - 1);
            case 9 ->
                expression(depth - 1) + " if " + expression(depth - 1)
                        + (random.nextBoolean() ? " else " + expression(depth - 1) : "");
            case 10 ->
                postfix() + "["
                        + pick("0", "-1", "1", "'role'", "n", "'k'", "'upper'", "5", "true", expression(depth - 1))
                        + "]";
            case 11 ->
                postfix() + "[" + pick("", "1", "-2", "n") + ":" + pick("", "2", "-1", "none")
                        + pick("", ":", ":2", ":-1", ":n") + "]";
            case 12 ->
                postfix() + "."
                        + pick(
                                "role",
                                "content",
                                "n",
                                "k",
                                "a",
                                "0",
                                "nosuch",
                                "items()|list",
                                "keys()|list",
                                "get('k')",
                                "get('role', 'e')",
                                "get('nosuch')",
                                "append(1)",
                                "values()|list|length",
                                "__class__");
            case 13, 14 -> pick("s", "t", "'" + pick(TEXTS) + "'") + "." + pick(TEXT_METHODS);
            case 15 -> "[" + expression(depth - 1) + pick(", ", ",") + expression(depth - 1) + pick("", ",") + "]";
            case 16 ->
                pick(
                        "(" + expression(depth - 1) + ", " + expression(depth - 1) + ")",
                        "{'k': " + expression(depth - 1) + ", 'role': " + expression(depth - 1) + "}",
                        "dict(k=" + expression(depth - 1) + ")",
                        "range(" + random.nextInt(5) + ", 9, 2)|list");
            default ->
                expression(depth - 1) + " " + pick("<", "==", "<=", "in") + " " + expression(depth - 1) + " "
                        + pick(">", "!=", "in") + " " + simple();
        };
    }

    /** What is a text, if nothing in it is refused. */
    private String text(int depth) {
        if (depth == 0) {
            return pick("s", "t", "'" + pick(TEXTS) + "'", "messages[0].role", "messages[-1]['role']", "'x' 'y'");
        }
        return switch (random.nextInt(9)) {
            case 0 -> text(depth - 1) + " + " + text(depth - 1);
            case 1 ->
                text(depth - 1) + " ~ "
                        + pick(text(depth - 1), number(depth - 1), "(" + truth(depth - 1) + ")", "none", "d", "l");
            case 2, 3 ->
                "(" + text(depth - 1) + ")."
                        + pick(
                                "strip()",
                                "upper()",
                                "lower()",
                                "title()",
                                "lstrip('a ')",
                                "rstrip()",
                                "replace('a', 'bc')",
                                "split(' ')[0]",
                                "split('a')[-1]",
                                "capitalize()",
                                "splitlines()|join('/')",
                                "join(['p', 'q'])",
                                "split(none, 1)|string",
                                "removesuffix('b')");
            case 4, 5 ->
                "(" + text(depth - 1) + ") | "
                        + pick(
                                "trim",
                                "upper",
                                "lower",
                                "title",
                                "capitalize",
                                "tojson",
                                "replace('a', 'b')",
                                "indent(1)",
                                "string",
                                "reverse",
                                "list|join('.')",
                                "default('q', true)",
                                "indent('  ', true, true)");
            case 6 -> "(" + text(depth - 1) + ")[" + pick("0:2", "1:", "::-1", ":-1", "-1:", "::2") + "]";
            case 7 -> text(depth - 1) + " if " + truth(depth - 1) + pick("", " else " + text(depth - 1));
            default ->
                pick("l", "d", "messages", "tools", "x", list(depth - 1, "messages")) + " | "
                        + pick("tojson", "string", "tojson(indent=1)");
        };
    }

    private String number(int depth) {
        if (depth == 0) {
            return pick("n", "m", "x", "1", "-2", "3", "0.5", "messages|length", "1e2");
        }
        return switch (random.nextInt(6)) {
            case 0 -> number(depth - 1) + " " + pick("+", "-", "*", "/") + " " + number(depth - 1);
            case 1 -> pick("n", "m", "-7", "messages|length") + pick(" % ", " // ") + pick("n", "3", "-2");
            case 2 -> "(" + number(depth - 1) + ")|" + pick("abs", "int", "float", "string|length");
            case 3 -> text(depth - 1) + "|" + pick("length", "int", "float", "list|length");
            case 4 -> "-" + number(depth - 1);
            default -> "(" + text(depth - 1) + ")." + pick("find('a')", "count('a')", "rfind(' ')");
        };
    }

    private String truth(int depth) {
        if (depth == 0) {
            return pick(
                    "b",
                    "true",
                    "false",
                    "u is defined",
                    "tools",
                    "n > 1",
                    "messages[0].role == 'user'",
                    "messages[0].content is string",
                    "z is none");
        }
        return switch (random.nextInt(8)) {
            case 0 -> truth(depth - 1) + pick(" and ", " or ") + truth(depth - 1);
            case 1 -> "not " + truth(depth - 1);
            case 2 -> number(depth - 1) + pick(" < ", " >= ", " == ", " != ") + number(depth - 1);
            case 3 -> text(depth - 1) + pick(" in ", " not in ", " == ", " < ") + text(depth - 1);
            case 4 -> "'role'" + pick(" in ", " not in ") + pick("messages[0]", "d", "['role', 1]");
            case 5 ->
                pick(text(depth - 1), number(depth - 1), "d", "z", "u", "messages", "d.k") + " is " + pick("", "not ")
                        + pick(
                                "defined",
                                "none",
                                "string",
                                "number",
                                "mapping",
                                "iterable",
                                "sequence",
                                "boolean",
                                "true",
                                "false",
                                "integer");
            case 6 -> "(" + text(depth - 1) + ")." + pick("startswith('a')", "endswith('b')");
            default -> "(" + truth(depth - 1) + ")";
        };
    }

    private String list(int depth, String messages) {
        if (depth == 0) {
            return pick("l", messages, "[1, 2]", "[]", "['a', 'B']", "range(3)");
        }
        return switch (random.nextInt(7)) {
            case 0 -> messages + "|map(attribute='" + pick("role", "content", "n") + "')|list";
            case 1 ->
                messages + "|" + pick("selectattr", "rejectattr") + "('role', "
                        + pick("'equalto', 'user'", "'in', ['user', 'tool']", "'ne', s", "'defined'") + ")|list";
            case 2 ->
                "[" + text(depth - 1) + ", " + number(depth - 1) + "]" + pick("", " + [" + truth(depth - 1) + "]");
            case 3 -> list(depth - 1, messages) + pick("[1:]", "[::-1]", "[:-1]", "|list", "|reverse|list", "[-2:]");
            case 4 -> "d|" + pick("items|list", "dictsort", "list") + pick("", "|length");
            case 5 -> "(" + text(depth - 1) + ")" + pick(".split()", ".split('a')", "|list", ".splitlines()");
            default ->
                "['b', 'A', " + text(depth - 1) + "]|"
                        + pick("sort", "sort(reverse=true)", "unique|list", "map('upper')|list", "join(', ')", "last");
        };
    }

    private String postfix() {
        return pick(
                "s",
                "l",
                "d",
                "messages",
                "messages[0]",
                "ns",
                "u",
                "z",
                "n",
                "'abc'",
                "tools",
                "i",
                "range(9)",
                "(1, 2, 3)");
    }

    private String simple() {
        return switch (random.nextInt(6)) {
            case 0, 1, 2 -> pick(NAMES);
            case 3 -> pick("'", "\"").equals("'") ? "'" + pick(TEXTS) + "'" : "\"" + pick(TEXTS) + "\"";
            case 4 -> pick("0", "1", "2", "-3", "7", "1.5", "0.1", "1e3", "10", "2.0");
            default ->
                pick(
                        "true",
                        "false",
                        "none",
                        "[]",
                        "{}",
                        "()",
                        "[1, 2]",
                        "'a' 'b'",
                        "True",
                        "None",
                        "range(3)|list",
                        "strftime_now('%d')");
        };
    }

    private String pick(String... words) {
        return words[random.nextInt(words.length)];
    }
}
