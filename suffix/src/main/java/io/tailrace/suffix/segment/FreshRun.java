package io.tailrace.suffix.segment;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.order.CoLexOrder;
import io.tailrace.suffix.order.CoLexSearch;
import io.tailrace.suffix.order.SortedRun;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Some generations in the order they were added, with their end positions sorted: a segment in memory. Immutable. */
final class FreshRun implements TokenText {
    private final int[] text;
    private final int[] documentStarts;
    private final long[] times;
    private final IntBuffer textView;
    private final IntBuffer orderView;
    private final IntBuffer endsView;

    private FreshRun(int[] text, int[] documentStarts, long[] times, CoLexOrder order) {
        this.text = text;
        this.documentStarts = documentStarts;
        this.times = times;
        this.textView = IntBuffer.wrap(text);
        this.orderView = IntBuffer.wrap(order.order());
        this.endsView = IntBuffer.wrap(order.ends());
    }

    static FreshRun of(int[] tokens, long completedAtMillis) {
        return of(List.of(tokens), completedAtMillis);
    }

    /** Generations completed at one time, at least one. */
    static FreshRun of(List<int[]> generations, long completedAtMillis) {
        int[] starts = new int[generations.size() + 1];
        for (int i = 0; i < generations.size(); i++) {
            starts[i + 1] = starts[i] + generations.get(i).length + 1;
        }
        int[] text = new int[starts[generations.size()]];
        for (int i = 0; i < generations.size(); i++) {
            System.arraycopy(generations.get(i), 0, text, starts[i], generations.get(i).length);
            text[starts[i + 1] - 1] = TERMINATOR;
        }
        long[] times = new long[generations.size()];
        Arrays.fill(times, completedAtMillis);
        return new FreshRun(text, starts, times, CoLexOrder.of(text, text.length));
    }

    /** The generations of neighbouring runs, {@code runs[from..to)}, as one run. */
    static FreshRun join(FreshRun[] runs, int from, int to) {
        int length = 0;
        int documents = 0;
        for (int i = from; i < to; i++) {
            length += runs[i].text.length;
            documents += runs[i].times.length;
        }
        int[] text = new int[length];
        int[] starts = new int[documents + 1];
        long[] times = new long[documents];
        List<SortedRun> sorted = new ArrayList<>();
        int at = 0;
        int document = 0;
        for (int i = from; i < to; i++) {
            FreshRun run = runs[i];
            sorted.add(run.sortedFrom(at));
            System.arraycopy(run.text, 0, text, at, run.text.length);
            System.arraycopy(run.times, 0, times, document, run.times.length);
            for (int start : run.documentStarts) {
                starts[document++] = at + start;
            }
            at += run.text.length;
            document--;
        }
        return new FreshRun(text, starts, times, CoLexOrder.merged(() -> text, sorted, new int[0]));
    }

    /** Its order where its text begins at a position of a longer one. */
    private SortedRun sortedFrom(int position) {
        int[] positions = new int[orderView.limit()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = orderView.get(i) + position;
        }
        int[] firsts = Arrays.stream(documentStarts, 0, times.length)
                .map(start -> start + position)
                .toArray();
        return new SortedRun(positions, firsts);
    }

    /** This run without its generations completed at or before a time, nor its first ones; null if none is left. */
    FreshRun without(long completedUntilMillis, int firstDocuments) {
        int[] kept = new int[text.length];
        int[] starts = new int[times.length + 1];
        long[] keptTimes = new long[times.length];
        int[] places = new int[text.length];
        Arrays.fill(places, -1);
        int count = 0;
        for (int i = firstDocuments; i < times.length; i++) {
            if (times[i] > completedUntilMillis) {
                int length = documentStarts[i + 1] - documentStarts[i];
                for (int k = 0; k < length; k++) {
                    places[documentStarts[i] + k] = starts[count] + k;
                }
                System.arraycopy(text, documentStarts[i], kept, starts[count], length);
                starts[count + 1] = starts[count] + length;
                keptTimes[count] = times[i];
                count++;
            }
        }
        if (count == times.length) {
            return this;
        }
        if (count == 0) {
            return null;
        }
        int[] rest = Arrays.copyOf(kept, starts[count]);
        SortedRun run = SortedRun.kept(orderView, places, Arrays.copyOf(starts, count));
        CoLexOrder order = CoLexOrder.merged(() -> rest, new ArrayList<>(List.of(run)), new int[0]);
        return new FreshRun(rest, Arrays.copyOf(starts, count + 1), Arrays.copyOf(keptTimes, count), order);
    }

    void copyInto(List<int[]> generations) {
        for (int document = 0; document < documents(); document++) {
            int start = documentStarts[document];
            generations.add(Arrays.copyOfRange(text, start, start + documentTokens(document)));
        }
    }

    int documents() {
        return times.length;
    }

    int documentTokens(int document) {
        return documentStarts[document + 1] - documentStarts[document] - 1;
    }

    int tokens() {
        return text.length - times.length;
    }

    int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        return CoLexSearch.nearest(
                textView, orderView, 0, orderView.limit(), context, length, countMax, source, this, into);
    }

    /** How many generations end with the pattern. */
    int endings(int[] context, int length, int patternLength) {
        return CoLexSearch.count(textView, endsView, 0, endsView.limit(), context, length, patternLength);
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < text.length ? text[position] : TERMINATOR;
    }
}
