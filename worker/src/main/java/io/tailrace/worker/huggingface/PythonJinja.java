package io.tailrace.worker.huggingface;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a template so that Jinjava reads it as Python's Jinja does. Only what stands within braces is looked at:
 *
 * <ul>
 *   <li>{@code not x is defined} is {@code not (x is defined)}, and so is a comparison; Jinjava would take {@code not} first
 *   <li>what a namespace begins with may be a sum or the like, which Jinjava wants in brackets
 *   <li>a list backwards, {@code [::-1]}, is filter {@code reverse}
 *   <li>{@code generation} marks what a model says, for training, and changes nothing
 * </ul>
 */
final class PythonJinja {
    private static final Pattern BRACES = Pattern.compile("\\{([%{]).*?[%}]\\}", Pattern.DOTALL);
    private static final String NAME = "[\\w.|]+(?:\\[[^\\]]*\\][\\w.|]*)*";
    private static final Pattern NOT = Pattern.compile("\\bnot (" + NAME
            + ") (is (?:not )?(?:defined|undefined|none|string|mapping|iterable|sequence|number|boolean|true|false)\\b"
            + "|[=!]= (?:[\\w.]+|'[^']*'|\"[^\"]*\"))");
    private static final Pattern NAMESPACE = Pattern.compile("namespace\\((.*)\\)", Pattern.DOTALL);
    private static final Pattern NAMED = Pattern.compile("(\\w+)\\s*=\\s*((?:[^,()]|\\([^()]*\\))+)");
    private static final Pattern MARK = Pattern.compile("^(\\{%[-+]?\\s*)(end)?generation(\\s*[-+]?%\\})$");

    private PythonJinja() {}

    static String forJinjava(String template) {
        return BRACES.matcher(template).replaceAll(found -> Matcher.quoteReplacement(block(found.group())));
    }

    private static String block(String block) {
        Matcher mark = MARK.matcher(block);
        if (mark.matches()) {
            return mark.group(1) + (mark.group(2) == null ? "if true" : "endif") + mark.group(3);
        }
        String bracketed = NOT.matcher(block.replace("[::-1]", "|reverse")).replaceAll("not ($1 $2)");
        return NAMESPACE
                .matcher(bracketed)
                .replaceFirst(found -> Matcher.quoteReplacement(
                        "namespace(" + NAMED.matcher(found.group(1)).replaceAll("$1=($2)") + ")"));
    }
}
