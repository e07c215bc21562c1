package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.BrokenLineException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Texts, and objects and dicts of them, as Python's repr writes them. */
final class PythonText {
    private PythonText() {}

    /** Where the text or the None that begins at {@code from} ends: behind its quote; at the line's end where that is missing. */
    static int end(String line, int from) {
        char quote = line.charAt(from);
        if (quote != '\'' && quote != '"') {
            return Math.min(line.length(), from + "None".length());
        }
        for (int at = from + 1; at < line.length(); at++) {
            if (line.charAt(at) == '\\') {
                at++;
            } else if (line.charAt(at) == quote) {
                return at + 1;
            }
        }
        return line.length();
    }

    /** Where the object or the dict whose bracket opens at {@code from} ends: behind its bracket; at the line's end where that is missing. */
    static int objectEnd(String line, int from) {
        int depth = 0;
        for (int at = from; at < line.length(); at++) {
            char letter = line.charAt(at);
            if (letter == '\'' || letter == '"') {
                at = end(line, at) - 1;
            } else if ("([{".indexOf(letter) >= 0) {
                depth++;
            } else if (")]}".indexOf(letter) >= 0 && --depth == 0) {
                return at + 1;
            }
        }
        return line.length();
    }

    /** The fields of the object or the dict whose bracket opens at {@code from}, as they are written; null where its end is missing. */
    static Map<String, String> fields(String line, int from) {
        Map<String, String> fields = new LinkedHashMap<>();
        int start = from + 1;
        int value = -1;
        for (int at = start; at < line.length(); at++) {
            char letter = line.charAt(at);
            if (letter == '\'' || letter == '"') {
                at = end(line, at) - 1;
            } else if ("([{".indexOf(letter) >= 0) {
                at = objectEnd(line, at) - 1;
            } else if (value < 0 && (letter == '=' || letter == ':')) {
                value = at + 1;
            } else if (letter == ',' || letter == ')' || letter == '}') {
                if (value >= 0) {
                    fields.put(
                            name(line.substring(start, value - 1).strip()),
                            line.substring(value, at).strip());
                }
                if (letter != ',') {
                    return fields;
                }
                start = at + 1;
                value = -1;
            }
        }
        return null;
    }

    /** The numbers of a list, brackets included. */
    static List<Integer> numbers(String list) throws BrokenLineException {
        List<Integer> numbers = new ArrayList<>();
        try {
            for (String number : list.substring(1, list.length() - 1).split(",", -1)) {
                if (!number.isBlank()) {
                    numbers.add(Integer.parseInt(number.strip()));
                }
            }
        } catch (NumberFormatException e) {
            throw new BrokenLineException("token ids fit 32 bits", "a larger one", "remove the line");
        }
        return numbers;
    }

    private static String name(String written) {
        return written.startsWith("'") ? read(written) : written;
    }

    /** The text within the quotes. What is escaped in a way that Python does not use stays as it is. */
    static String read(String quoted) {
        StringBuilder text = new StringBuilder(quoted.length());
        int end = quoted.length() - 1;
        for (int at = 1; at < end; at++) {
            char letter = quoted.charAt(at);
            if (letter != '\\' || at + 1 >= end) {
                text.append(letter);
                continue;
            }
            char escape = quoted.charAt(++at);
            int digits = digits(escape);
            int point = digits > 0 && at + digits < end ? codePoint(quoted.substring(at + 1, at + 1 + digits)) : -1;
            if (point >= 0) {
                text.appendCodePoint(point);
                at += digits;
            } else {
                text.append(plain(escape));
            }
        }
        return text.toString();
    }

    /** -1: these are no digits, or no code point's. */
    private static int codePoint(String digits) {
        try {
            int point = HexFormat.fromHexDigits(digits);
            return Character.isValidCodePoint(point) ? point : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static int digits(char escape) {
        return switch (escape) {
            case 'x' -> 2;
            case 'u' -> 4;
            case 'U' -> 8;
            default -> 0;
        };
    }

    private static String plain(char escape) {
        return switch (escape) {
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case '\\', '\'', '"' -> String.valueOf(escape);
            default -> "\\" + escape;
        };
    }
}
