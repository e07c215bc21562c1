package io.tailrace.testkit.llama;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** A byte-level tokenizer with a few merges and chat tokens, as the text of a tokenizer.json. Any text goes through it. */
public final class TinyTokenizer {
    /** Begins a text. */
    public static final int BEGIN = 0;
    /** Ends an answer. */
    public static final int END = 1;
    /** All ids are below this. */
    public static final int VOCABULARY_SIZE = 320;

    private static final String[] SPECIAL = {"<|begin|>", "<|end|>", "<|im_start|>", "<|im_end|>"};
    private static final String[][] MERGES = {
        {"t", "h"},
        {"th", "e"},
        {"i", "n"},
        {"e", "r"},
        {"a", "n"},
        {"an", "d"},
        {"\u0120", "a"},
        {"\u0120", "s"},
        {"\u0120", "the"},
        {"\u0120", "and"},
        {"o", "n"},
        {"r", "e"},
        {"\u0120", "b"},
        {"o", "u"},
        {"e", "d"},
        {"\u00c3", "\u00a9"},
    };

    private TinyTokenizer() {}

    /** The file's text. */
    public static String json() {
        StringJoiner vocabulary = new StringJoiner(", ", "{", "}");
        tokens().forEach((token, id) -> vocabulary.add(quoted(token) + ": " + id));
        StringJoiner merges = new StringJoiner(", ", "[", "]");
        for (String[] merge : MERGES) {
            merges.add(quoted(merge[0] + " " + merge[1]));
        }
        StringJoiner added = new StringJoiner(", ", "[", "]");
        for (int id = 0; id < SPECIAL.length; id++) {
            added.add(
                    "{\"id\": %d, \"content\": %s, \"single_word\": false, \"lstrip\": false, \"rstrip\": false, \"normalized\": false, \"special\": true}"
                            .formatted(id, quoted(SPECIAL[id])));
        }
        return """
                {"version": "1.0", "truncation": null, "padding": null, "added_tokens": %s, "normalizer": null,
                 "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
                 "post_processor": {"type": "TemplateProcessing",
                   "single": [{"SpecialToken": {"id": "<|begin|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                   "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                   "special_tokens": {"<|begin|>": {"id": "<|begin|>", "ids": [0], "tokens": ["<|begin|>"]}}},
                 "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
                 "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
                   "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "vocab": %s, "merges": %s}}
                """.formatted(added, vocabulary, merges);
    }

    private static Map<String, Integer> tokens() {
        Map<String, Integer> tokens = new LinkedHashMap<>();
        for (String special : SPECIAL) {
            tokens.put(special, tokens.size());
        }
        for (String letter : byteLetters()) {
            tokens.put(letter, tokens.size());
        }
        for (String[] merge : MERGES) {
            tokens.put(merge[0] + merge[1], tokens.size());
        }
        return tokens;
    }

    /** The letter that stands for each byte: itself where it can be seen, else one from U+0100 on. */
    private static List<String> byteLetters() {
        List<String> letters = new ArrayList<>();
        int hidden = 0;
        for (int value = 0; value < 256; value++) {
            boolean seen = (value >= '!' && value <= '~') || (value >= 0xa1 && value <= 0xac) || value >= 0xae;
            letters.add(Character.toString(seen ? value : 256 + hidden));
            hidden += seen ? 0 : 1;
        }
        return letters;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
