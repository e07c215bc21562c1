package io.tailrace.worker.huggingface;

import java.beans.FeatureDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import jinjava.javax.el.ELContext;
import jinjava.javax.el.ELResolver;

/** What templates call on a text, as Python has it: Java's own methods have other names, or take a pattern. Knows nothing else. */
final class PythonMethods extends ELResolver {
    private static final String BLANKS = " \t\n\r\f\u000b";

    @Override
    public Object invoke(ELContext context, Object base, Object method, Class<?>[] types, Object[] arguments) {
        if (!(base instanceof CharSequence)) {
            return null;
        }
        Object result = call(base.toString(), String.valueOf(method), arguments == null ? new Object[0] : arguments);
        context.setPropertyResolved(result != null);
        return result;
    }

    /** Null: Java's method of that name, if there is one. */
    private static Object call(String text, String method, Object... arguments) {
        String first = arguments.length == 0 || arguments[0] == null ? null : arguments[0].toString();
        return switch (method) {
            case "startswith" -> text.startsWith(String.valueOf(first));
            case "endswith" -> text.endsWith(String.valueOf(first));
            case "strip" -> left(right(text, first), first);
            case "lstrip" -> left(text, first);
            case "rstrip" -> right(text, first);
            case "split" -> split(text, first, arguments);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "lower" -> text.toLowerCase(Locale.ROOT);
            case "capitalize", "title" -> capital(text);
            default -> null;
        };
    }

    private static List<String> split(String text, String by, Object... arguments) {
        int most = arguments.length > 1 ? ((Number) arguments[1]).intValue() + 1 : -1;
        String[] parts = by == null ? text.strip().split("\\s+", most) : text.split(Pattern.quote(by), most);
        return new ArrayList<>(Arrays.asList(parts));
    }

    private static String left(String text, String letters) {
        int from = 0;
        while (from < text.length() && isOf(text.charAt(from), letters)) {
            from++;
        }
        return text.substring(from);
    }

    private static String right(String text, String letters) {
        int to = text.length();
        while (to > 0 && isOf(text.charAt(to - 1), letters)) {
            to--;
        }
        return text.substring(0, to);
    }

    private static boolean isOf(char letter, String letters) {
        return letters == null
                ? BLANKS.indexOf(letter) >= 0 || Character.isWhitespace(letter)
                : letters.indexOf(letter) >= 0;
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    @Override
    public Object getValue(ELContext context, Object base, Object property) {
        return null;
    }

    @Override
    public Class<?> getType(ELContext context, Object base, Object property) {
        return null;
    }

    @Override
    public void setValue(ELContext context, Object base, Object property, Object value) {}

    @Override
    public boolean isReadOnly(ELContext context, Object base, Object property) {
        return true;
    }

    @Override
    public Iterator<FeatureDescriptor> getFeatureDescriptors(ELContext context, Object base) {
        return Collections.emptyIterator();
    }

    @Override
    public Class<?> getCommonPropertyType(ELContext context, Object base) {
        return null;
    }
}
