package io.tailrace.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The dull twin of every index: keeps documents in a list and answers by looking at each of their positions. Equal
 * documents may be added as often as they came; there is no multiplicity. A document may begin with a prompt's tail: nothing ends inside it.
 */
public final class NaiveIndex {
    private final List<int[]> documents = new ArrayList<>();
    private final List<Integer> tails = new ArrayList<>();

    public void add(int[] tokens) {
        add(new int[0], tokens);
    }

    public void add(int[] promptTail, int[] tokens) {
        int[] document = Arrays.copyOf(promptTail, promptTail.length + tokens.length);
        System.arraycopy(tokens, 0, document, promptTail.length, tokens.length);
        documents.add(document);
        tails.add(promptTail.length);
    }

    /** The first position of a document where something may end: its tail's last one, or the first of all. */
    private int first(int document) {
        return Math.max(0, tails.get(document) - 1);
    }

    public List<int[]> documents() {
        return Collections.unmodifiableList(documents);
    }

    public long tokens() {
        return documents.stream().mapToLong(document -> document.length).sum();
    }

    /** How often the pattern occurs, ends of documents included. */
    public long count(int[] pattern) {
        long count = 0;
        for (int i = 0; i < documents.size(); i++) {
            int[] document = documents.get(i);
            for (int position = first(i); position < document.length; position++) {
                if (matchLength(document, position, pattern, pattern.length, Integer.MAX_VALUE) == pattern.length) {
                    count++;
                }
            }
        }
        return count;
    }

    /** What follows the pattern, and how often. */
    public SortedMap<Integer, Long> nextTokenCounts(int[] pattern) {
        SortedMap<Integer, Long> counts = new TreeMap<>();
        for (int i = 0; i < documents.size(); i++) {
            int[] document = documents.get(i);
            for (int position = first(i); position + 1 < document.length; position++) {
                if (matchLength(document, position, pattern, pattern.length, Integer.MAX_VALUE) == pattern.length) {
                    counts.merge(document[position + 1], 1L, Long::sum);
                }
            }
        }
        return counts;
    }

    /** Match lengths of the nearest occurrences that go on, longest first. */
    public int[] nearestMatchLengths(int[] context, int length, int countMax, int matchLengthMax) {
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            int[] document = documents.get(i);
            for (int position = first(i); position + 1 < document.length; position++) {
                int match = matchLength(document, position, context, length, matchLengthMax);
                if (match > 0) {
                    lengths.add(match);
                }
            }
        }
        lengths.sort(Collections.reverseOrder());
        return lengths.stream().limit(countMax).mapToInt(Integer::intValue).toArray();
    }

    /** How many tokens match, reading backwards from a document's position and from the context's end. */
    public static int matchLength(int[] document, int position, int[] context, int length, int matchLengthMax) {
        int most = Math.min(Math.min(length, matchLengthMax), position + 1);
        int match = 0;
        while (match < most && document[position - match] == context[length - 1 - match]) {
            match++;
        }
        return match;
    }
}
