package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Cuts a template into tokens. White space goes here: a minus inside a tag takes all of it on that side; the newline behind a block or
 * comment goes ({@code trim_blocks}), and so do the blanks between a line's begin and a block or comment ({@code lstrip_blocks}); a plus
 * keeps them.
 */
final class Lexer {
    private static final List<String> OPERATORS = List.of(
            "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<",
            "=", ".", ":", "|", ",", ";");

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
        for (int i = source.indexOf('{', at); i >= 0; i = source.indexOf('{', i + 1)) {
            char next = charAt(i + 1);
            if (next == '{' || next == '%' || next == '#') {
                return i;
            }
        }
        return -1;
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
        int word = spaces(at);
        if (source.startsWith("raw", word)) {
            int end = spaces(word + 3);
            boolean minus = source.startsWith("-%}", end);
            if (minus || source.startsWith("%}", end)) {
                at = end + (minus ? 3 : 2);
                trim(minus ? '-' : ' ', false);
                raw();
                return;
            }
        }
        add(Kind.BLOCK_BEGIN, "{%", null);
        inside("%}", Kind.BLOCK_END);
    }

    private void raw() {
        for (int tag = source.indexOf("{%", at); tag >= 0; tag = source.indexOf("{%", tag + 1)) {
            char sign = charAt(tag + 2) == '-' || charAt(tag + 2) == '+' ? charAt(tag + 2) : ' ';
            int word = spaces(sign == ' ' ? tag + 2 : tag + 3);
            if (source.startsWith("endraw", word)) {
                int end = spaces(word + 6);
                char close = charAt(end) == '-' || charAt(end) == '+' ? charAt(end) : ' ';
                end += close == ' ' ? 0 : 1;
                if (source.startsWith("%}", end)) {
                    data(tag, sign, true);
                    at = end + 2;
                    trim(close, true);
                    return;
                }
            }
        }
        throw refuse("a raw block does not end");
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
        Deque<Character> open = new ArrayDeque<>();
        while (!ended(end, kind, open.isEmpty())) {
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
                operator(open);
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
        boolean float0 = at == 0 || source.charAt(at - 1) != '.';
        NumberLiteral literal = NumberLiteral.at(source, at, float0);
        if (literal == null) {
            throw refuse("a number has too many digits");
        }
        add(Kind.NUMBER, source.substring(at, literal.end()), literal.value());
        at = literal.end();
    }

    private void string(char quote) {
        int to = at + 1;
        while (charAt(to) != quote) {
            to += charAt(to) == '\\' ? 2 : 1;
            if (to >= source.length()) {
                throw refuse("a text does not end, %s is missing".formatted(quote));
            }
        }
        String meant = Escapes.read(source.substring(at + 1, to));
        if (meant == null) {
            throw refuse("an escape in a text is broken");
        }
        add(Kind.STRING, meant, null);
        at = to + 1;
    }

    private void operator(Deque<Character> open) {
        for (String operator : OPERATORS) {
            if (source.startsWith(operator, at)) {
                balance(operator.charAt(0), open);
                add(Kind.OPERATOR, operator, null);
                at += operator.length();
                return;
            }
        }
        throw refuse("unexpected character '%s'".formatted(Character.toString(source.codePointAt(at))));
    }

    private void balance(char bracket, Deque<Character> open) {
        switch (bracket) {
            case '(' -> open.push(')');
            case '[' -> open.push(']');
            case '{' -> open.push('}');
            case ')', ']', '}' -> {
                if (open.isEmpty() || open.pop() != bracket) {
                    throw refuse("unexpected '%s'".formatted(bracket));
                }
            }
            default -> {}
        }
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
