package io.tailrace.lab.traffic;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The word-level vocabulary of the synthetic traffic: 32,768 words, an id each. First the words that the templates use, then
 * the numbers 0 to 4095, then invented words of two syllables: identifiers, values, prose.
 */
final class Vocabulary {
    static final int SIZE = 32_768;
    static final int NUMBERS = 4096;
    static final int IDENTIFIERS = 8192;
    static final int VALUES = 8192;

    private static final String TEMPLATE_WORDS = """
            <end> <system> <user> <assistant> <tool>
            . , : ; ( ) [ ] { } = > < + - * / ! ? ' " == != >= <= && || -> += ++
            SELECT DISTINCT FROM WHERE AND OR IN AS JOIN ON GROUP ORDER BY DESC ASC LIMIT BETWEEN HAVING count avg sum max min
            T1 T2 id integer text real table tables columns database schema key primary foreign
            You are an expert who translates questions into SQL Use only the given Answer with JSON and nothing else
            Here is question Which have How many What Show all rows whose average of each most frequent together their
            for between First list needed Now write query It failed error no such column near line Correct Result result
            answer to your In words please retry timeout returned
            Extract fields from document Keys are Dear team this concerns was sent on received by amount total number
            status city customer invoice ticket order claim profile due paid open closed priority contact reference date
            null true false low high normal Regards
            if return else while int long String void public static final new try catch throw Exception value size get set
            add remove put contains next check log warn info this Function edit Rename a an Add check message before after
            body code whole in The has than looked Please
            Tell me about why does it matter more can explain simply Sure ! Let us look at that In short however because
            therefore also often usually means first second third example Good I hope helps you know would like hear
            """;

    private static final String[] ONSETS = {
        "b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"
    };
    private static final String[] VOWELS = {"a", "e", "i", "o", "u"};
    private static final String[] CODAS = {"", "l", "n", "r", "s"};

    private static final List<String> WORDS = build();
    private static final Map<String, Integer> IDS = index(WORDS);
    private static final int NUMBERS_AT = id("0");
    private static final int IDENTIFIERS_AT = NUMBERS_AT + NUMBERS;
    private static final int VALUES_AT = IDENTIFIERS_AT + IDENTIFIERS;
    private static final int PROSE_AT = VALUES_AT + VALUES;

    static final int PROSE = SIZE - PROSE_AT;

    private Vocabulary() {}

    static int id(String word) {
        Integer id = IDS.get(word);
        if (id == null) {
            throw new IllegalArgumentException(
                    "'" + word + "' is not in the synthetic vocabulary; add it to its template words");
        }
        return id;
    }

    static String word(int id) {
        return WORDS.get(id);
    }

    static int number(int n) {
        return NUMBERS_AT + Math.floorMod(n, NUMBERS);
    }

    static int identifier(int n) {
        return IDENTIFIERS_AT + Math.floorMod(n, IDENTIFIERS);
    }

    static int value(int n) {
        return VALUES_AT + Math.floorMod(n, VALUES);
    }

    static int prose(int n) {
        return PROSE_AT + Math.floorMod(n, PROSE);
    }

    private static List<String> build() {
        Set<String> words =
                new LinkedHashSet<>(Arrays.asList(TEMPLATE_WORDS.trim().split("\\s+")));
        for (int n = 0; n < NUMBERS; n++) {
            words.add(Integer.toString(n));
        }
        for (int n = 0; words.size() < SIZE; n++) {
            words.add(invented(n));
        }
        return List.copyOf(words);
    }

    /** The n-th invented word; the stride visits every pair of syllables before it comes back. */
    private static String invented(int n) {
        int syllables = ONSETS.length * VOWELS.length * CODAS.length;
        int pair = (int) (n * 7919L % ((long) syllables * syllables));
        return syllable(pair / syllables) + syllable(pair % syllables);
    }

    private static String syllable(int n) {
        int onset = n / (VOWELS.length * CODAS.length);
        return ONSETS[onset] + VOWELS[n / CODAS.length % VOWELS.length] + CODAS[n % CODAS.length];
    }

    private static Map<String, Integer> index(List<String> words) {
        Map<String, Integer> ids = new HashMap<>();
        for (String word : words) {
            ids.put(word, ids.size());
        }
        return ids;
    }
}
