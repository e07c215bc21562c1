package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a template into tokens. White space goes here: a minus inside a tag takes all of it on that side; the newline behind a block or
 * comment goes ({@code trim_blocks}), and so do the blanks between a line's begin and a block or comment ({@code lstrip_blocks}); a plus
 * keeps them.
 */
final class Lexer {
    private static final List<String> OPERATORS = List.of(
            "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<",
            "=", ".", ":", "|", ",", ";");

    private static final Pattern TAG = Pattern.compile("\\{[{%#]");
    private static final Pattern RAW = Pattern.compile("\\s*raw\\s*(-?)%}");
    private static final Pattern END_RAW = Pattern.compile("\\{%([-+]?)\\s*endraw\\s*([-+]?)%}");
    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]*");
    private static final Pattern NUMBER = Pattern.compile("(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    private int counted;

    private Lexer(String source) {
        this.source = source;
    }

    static List<Token> tokens(String template) {
        String lines = template.replace("\r\n", "\n").replace('\r', '\n');
        Lexer lexer = new Lexer(lines.endsWith("\n") ? lines.substring(0, lines.length() - 1) : lines);
        lexer.read();
        return lexer.tokens;
    }

    private void read() {
        for (int tag = tag(); tag >= 0; tag = tag()) {
            char kind = source.charAt(tag + 1);
            int behind = tag + 2;
            char sign = charAt(behind) == '-' || charAt(behind) == '+' ? charAt(behind++) : ' ';
            data(tag, sign, kind != '{');
            at = behind;
            switch (kind) {
                case '{' -> print();
                case '#' -> comment();
                default -> block();
            }
        }
        data(source.length(), ' ', false);
        add(Kind.END, "", null);
    }

    /** Where the next tag begins, or -1. */
    private int tag() {
        Matcher tag = TAG.matcher(source);
        return tag.find(at) ? tag.start() : -1;
    }

    private char charAt(int index) {
        return index < source.length() ? source.charAt(index) : 0;
    }

    private void data(int to, char sign, boolean lineTag) {
        int end = to;
        if (sign == '-') {
            while (end > at && Text.isSpace(source.charAt(end - 1))) {
                end--;
            }
        } else if (sign == ' ' && lineTag) {
            end = lineBegin(to);
        }
        if (end > at) {
            add(Kind.DATA, source.substring(at, end), null);
        }
        at = to;
    }

    /** Where the line of a tag begins, if only blanks stand before the tag. */
    private int lineBegin(int tag) {
        int begin = tag;
        while (begin > at && source.charAt(begin - 1) != '\n' && Text.isSpace(source.charAt(begin - 1))) {
            begin--;
        }
        return begin == 0 || source.charAt(begin - 1) == '\n' ? begin : tag;
    }

    private void comment() {
        int end = source.indexOf("#}", at);
        if (end < 0) {
            throw refuse("a comment does not end");
        }
        char sign = end > at ? source.charAt(end - 1) : ' ';
        at = end + 2;
        trim(sign, true);
    }

    private void print() {
        add(Kind.PRINT_BEGIN, "{{", null);
        inside("}}", Kind.PRINT_END);
    }

    private void block() {
        Matcher raw = RAW.matcher(source).region(at, source.length());
        if (raw.lookingAt()) {
            at = raw.end();
            trim(sign(raw.group(1)), false);
            raw();
        } else {
            add(Kind.BLOCK_BEGIN, "{%", null);
            inside("%}", Kind.BLOCK_END);
        }
    }

    private void raw() {
        Matcher end = END_RAW.matcher(source);
        if (!end.find(at)) {
            throw refuse("a raw block does not end");
        }
        data(end.start(), sign(end.group(1)), true);
        at = end.end();
        trim(sign(end.group(2)), true);
    }

    private static char sign(String sign) {
        return sign.isEmpty() ? ' ' : sign.charAt(0);
    }

    private int spaces(int from) {
        int to = from;
        while (to < source.length() && Text.isSpace(source.charAt(to))) {
            to++;
        }
        return to;
    }

    /** What goes behind a tag that has just ended. */
    private void trim(char sign, boolean newline) {
        if (sign == '-') {
            at = spaces(at);
        } else if (sign != '+' && newline && charAt(at) == '\n') {
            at++;
        }
    }

    private void inside(String end, Kind kind) {
        int open = 0;
        while (!ended(end, kind, open <= 0)) {
            if (at >= source.length()) {
                throw refuse("a tag does not end, '%s' is missing".formatted(end));
            }
            char next = source.charAt(at);
            if (Text.isSpace(next)) {
                at++;
            } else if (next >= '0' && next <= '9') {
                number();
            } else if (next == '_' || Character.isLetter(source.codePointAt(at))) {
                name();
            } else if (next == '\'' || next == '"') {
                string(next);
            } else {
                open += operator();
            }
        }
    }

    private boolean ended(String end, Kind kind, boolean closed) {
        boolean block = kind == Kind.BLOCK_END;
        char sign = charAt(at) == '-' || (block && charAt(at) == '+') ? charAt(at) : ' ';
        int from = sign == ' ' ? at : at + 1;
        if (!closed || !source.startsWith(end, from)) {
            return false;
        }
        add(kind, end, null);
        at = from + end.length();
        trim(sign, block);
        return true;
    }

    private void name() {
        int to = at;
        while (to < source.length()
                && (source.charAt(to) == '_' || Character.isLetterOrDigit(source.codePointAt(to)))) {
            to += Character.charCount(source.codePointAt(to));
        }
        add(Kind.NAME, source.substring(at, to), null);
        at = to;
    }

    private void number() {
        boolean item = at > 0 && source.charAt(at - 1) == '.';
        Matcher number = (item ? WHOLE : NUMBER).matcher(source).region(at, source.length());
        int to = number.lookingAt() ? number.end() : at;
        if (to == at || charAt(to) == '_' || Character.isLetterOrDigit(charAt(to))) {
            throw JinjaException.leftOut("a number with other than decimal digits")
                    .at(line());
        }
        String digits = source.substring(at, to);
        boolean whole = WHOLE.matcher(digits).matches();
        try {
            Number value = whole ? (Number) Long.valueOf(digits) : Numbers.finite(Double.parseDouble(digits));
            add(Kind.NUMBER, digits, value);
        } catch (NumberFormatException e) {
            throw Numbers.tooLarge().at(line());
        } catch (JinjaException e) {
            throw e.at(line());
        }
        at = to;
    }

    private void string(char quote) {
        int to = at + 1;
        while (charAt(to) != quote) {
            to += charAt(to) == '\\' ? 2 : 1;
            if (to >= source.length()) {
                throw refuse("a text does not end, %s is missing".formatted(quote));
            }
        }
        String meant = Escapes.read(source.substring(at + 1, to), line());
        add(Kind.STRING, meant, null);
        at = to + 1;
    }

    /** By how many brackets more are open behind it. */
    private int operator() {
        for (String operator : OPERATORS) {
            if (source.charAt(at) == operator.charAt(0) && source.startsWith(operator, at)) {
                add(Kind.OPERATOR, operator, null);
                at += operator.length();
                return "([{".contains(operator) ? 1 : ")]}".contains(operator) ? -1 : 0;
            }
        }
        throw refuse("unexpected character '%s'".formatted(Character.toString(source.codePointAt(at))));
    }

    private void add(Kind kind, String text, Number value) {
        tokens.add(new Token(kind, text, value, line()));
    }

    private JinjaException refuse(String words) {
        return new JinjaException(words, line());
    }

    private int line() {
        for (; counted < Math.min(at, source.length()); counted++) {
            if (source.charAt(counted) == '\n') {
                line++;
            }
        }
        return line;
    }
}
