package io.tailrace.lab.traffic;

import java.util.Arrays;

/** Collects token ids: from templates, and from ids. */
final class TokenWriter {
    private int[] ids = new int[64];
    private int size;

    /** Writes the words of a template, separated by blanks; each {@code %} stands for the next of {@code arguments}. */
    TokenWriter write(String template, int... arguments) {
        int next = 0;
        int from = 0;
        while (from < template.length()) {
            int to = template.indexOf(' ', from);
            to = to < 0 ? template.length() : to;
            String word = template.substring(from, to);
            id(word.equals("%") ? arguments[next++] : Vocabulary.id(word));
            from = to + 1;
        }
        return this;
    }

    TokenWriter id(int id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size * 2);
        }
        ids[size++] = id;
        return this;
    }

    TokenWriter ids(int... more) {
        for (int id : more) {
            id(id);
        }
        return this;
    }

    int[] toArray() {
        return Arrays.copyOf(ids, size);
    }
}
