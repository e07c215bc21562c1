package io.tailrace.worker.smallmodel;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A tokenizer of bytes and syllables, as the text of a tokenizer.json. Any text goes through it. What is said in syllables is
 * cut into the same syllables again, so an answer's text gives its tokens.
 */
final class SyllableTokenizer {
    /** Begins a text. */
    static final int BEGIN = 0;
    /** Ends an answer. */
    static final int END = 1;

    static final String BEGIN_TEXT = "<s>";
    static final String END_TEXT = "</s>";

    private static final int BYTES = 256;
    /** What a byte-level tokenizer writes for a blank. */
    private static final String BLANK = "\u0120";

    private static final String CONSONANTS = "bdfghklmnprstvz";
    private static final String VOWELS = "aeiou";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Integer> tokens = new LinkedHashMap<>();
    private final ArrayNode merges = JSON.createArrayNode();
    private final int syllables;

    /** The same each time. */
    SyllableTokenizer() {
        List<String> marks = List.of(BEGIN_TEXT, END_TEXT);
        marks.forEach(this::add);
        byteLetters().forEach(this::add);
        syllables = tokens.size();
        CONSONANTS
                .chars()
                .forEach(first ->
                        VOWELS.chars().forEach(then -> merge(Character.toString(first), Character.toString(then))));
        for (String syllable : List.copyOf(tokens.keySet()).subList(syllables, tokens.size())) {
            merge(BLANK, syllable);
        }
    }

    /** All ids are below this. */
    int vocabularySize() {
        return tokens.size();
    }

    /** The id of the first syllable; all above are syllables, too. */
    int firstSyllable() {
        return syllables;
    }

    /** The file's text. */
    String json() {
        ObjectNode root = JSON.createObjectNode().put("version", "1.0");
        ArrayNode added = root.putArray("added_tokens");
        mark(added, BEGIN, BEGIN_TEXT);
        mark(added, END, END_TEXT);
        byteLevel(root.putObject("pre_tokenizer"));
        begin(root.putObject("post_processor"));
        byteLevel(root.putObject("decoder"));
        ObjectNode model = root.putObject("model").put("type", "BPE");
        model.set("vocab", JSON.valueToTree(tokens));
        model.set("merges", merges);
        return root.toString();
    }

    private static void mark(ArrayNode added, int id, String text) {
        ObjectNode mark = added.addObject().put("id", id).put("content", text).put("special", true);
        for (String not : List.of("single_word", "lstrip", "rstrip", "normalized")) {
            mark.put(not, false);
        }
    }

    private static void byteLevel(ObjectNode part) {
        part.put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", true);
    }

    /** Each text gets its begin. */
    private static void begin(ObjectNode processor) {
        processor.put("type", "TemplateProcessing");
        ArrayNode single = processor.putArray("single");
        single.addObject().putObject("SpecialToken").put("id", BEGIN_TEXT).put("type_id", 0);
        single.addObject().putObject("Sequence").put("id", "A").put("type_id", 0);
        ArrayNode pair = processor.putArray("pair");
        pair.addObject().putObject("Sequence").put("id", "A").put("type_id", 0);
        pair.addObject().putObject("Sequence").put("id", "B").put("type_id", 1);
        ObjectNode mark =
                processor.putObject("special_tokens").putObject(BEGIN_TEXT).put("id", BEGIN_TEXT);
        mark.putArray("ids").add(BEGIN);
        mark.putArray("tokens").add(BEGIN_TEXT);
    }

    private void merge(String first, String then) {
        merges.add(first + " " + then);
        add(first + then);
    }

    private void add(String token) {
        tokens.put(token, tokens.size());
    }

    /** The letter that stands for each byte: itself where it can be seen, else one from U+0100 on. */
    private static List<String> byteLetters() {
        List<String> letters = new ArrayList<>();
        int hidden = 0;
        for (int value = 0; value < BYTES; value++) {
            boolean seen = (value >= '!' && value <= '~') || (value >= 0xa1 && value <= 0xac) || value >= 0xae;
            letters.add(Character.toString(seen ? value : BYTES + hidden));
            hidden += seen ? 0 : 1;
        }
        return letters;
    }
}
