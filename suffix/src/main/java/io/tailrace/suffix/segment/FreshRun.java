package io.tailrace.suffix.segment;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignaturePostings;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.order.CoLexOrder;
import io.tailrace.suffix.order.CoLexSearch;
import io.tailrace.suffix.order.HiddenEntries;
import io.tailrace.suffix.order.HiddenTokens;
import io.tailrace.suffix.order.SortedRun;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Some generations in the order they were added, with their end positions sorted: a segment in memory. Immutable but for the times, which its index
 * guards.
 */
final class FreshRun implements SignedAnswers {
    private final int[] text;
    private final int[] documentStarts;
    private final int[] tails;
    private final long[] times;
    /** Of each document, which of its answer's tokens are copied; null where that is not known. */
    private final BitSet[] copied;

    private final PromptSignature[] signatures;
    private final HiddenEntries hidden;
    private final HiddenTokens hiddenTokens;
    private final IntBuffer textView;
    private final IntBuffer orderView;
    private final IntBuffer endsView;
    private SaidTokens said;
    private SignaturePostings postings;

    private FreshRun(
            int[] text,
            int[] documentStarts,
            int[] tails,
            long[] times,
            BitSet[] copied,
            PromptSignature[] signatures,
            CoLexOrder whole) {
        CoLexOrder order = whole.hiding(documentStarts, tails);
        this.text = text;
        this.documentStarts = documentStarts;
        this.tails = tails;
        this.times = times;
        this.copied = copied;
        this.signatures = signatures;
        this.hidden = order.hidden();
        this.textView = IntBuffer.wrap(text);
        this.hiddenTokens = HiddenTokens.of(textView, IntBuffer.wrap(hidden.positions()));
        this.orderView = IntBuffer.wrap(order.order());
        this.endsView = IntBuffer.wrap(order.ends());
    }

    static FreshRun of(RememberedAnswer answer, long completedAtMillis) {
        return of(List.of(answer), completedAtMillis);
    }

    /** Answers completed at one time, at least one. */
    static FreshRun of(List<RememberedAnswer> answers, long completedAtMillis) {
        int count = answers.size();
        int[] starts = new int[count + 1];
        int[] tails = new int[count];
        for (int i = 0; i < count; i++) {
            tails[i] = answers.get(i).promptTail().length;
            starts[i + 1] = starts[i] + tails[i] + answers.get(i).tokens().length + 1;
        }
        int[] text = new int[starts[count]];
        for (int i = 0; i < count; i++) {
            RememberedAnswer answer = answers.get(i);
            System.arraycopy(answer.promptTail(), 0, text, starts[i], tails[i]);
            System.arraycopy(answer.tokens(), 0, text, starts[i] + tails[i], answer.tokens().length);
            text[starts[i + 1] - 1] = TERMINATOR;
        }
        long[] times = new long[count];
        Arrays.fill(times, completedAtMillis);
        BitSet[] copied = answers.stream().map(RememberedAnswer::copied).toArray(BitSet[]::new);
        PromptSignature[] signatures =
                answers.stream().map(RememberedAnswer::signature).toArray(PromptSignature[]::new);
        return new FreshRun(text, starts, tails, times, copied, signatures, CoLexOrder.of(text, text.length));
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
        int[] tails = new int[documents];
        long[] times = new long[documents];
        BitSet[] copied = new BitSet[documents];
        PromptSignature[] signatures = new PromptSignature[documents];
        List<SortedRun> sorted = new ArrayList<>();
        int at = 0;
        int document = 0;
        for (int i = from; i < to; i++) {
            FreshRun run = runs[i];
            sorted.add(run.sortedFrom(at));
            System.arraycopy(run.text, 0, text, at, run.text.length);
            System.arraycopy(run.times, 0, times, document, run.times.length);
            System.arraycopy(run.tails, 0, tails, document, run.tails.length);
            System.arraycopy(run.copied, 0, copied, document, run.copied.length);
            System.arraycopy(run.signatures, 0, signatures, document, run.signatures.length);
            for (int start : run.documentStarts) {
                starts[document++] = at + start;
            }
            at += run.text.length;
            document--;
        }
        CoLexOrder order = CoLexOrder.merged(() -> text, sorted, new int[0]);
        return new FreshRun(text, starts, tails, times, copied, signatures, order);
    }

    /** Its whole order where its text begins at a position of a longer one. */
    private SortedRun sortedFrom(int position) {
        IntBuffer whole = hidden.whole(orderView);
        int[] positions = new int[whole.limit()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = whole.get(i) + position;
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
        int[] keptTails = new int[times.length];
        long[] keptTimes = new long[times.length];
        BitSet[] keptCopied = new BitSet[times.length];
        PromptSignature[] keptSignatures = new PromptSignature[times.length];
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
                keptTails[count] = tails[i];
                keptTimes[count] = times[i];
                keptCopied[count] = copied[i];
                keptSignatures[count] = signatures[i];
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
        SortedRun run = SortedRun.kept(hidden.whole(orderView), places, Arrays.copyOf(starts, count));
        CoLexOrder order = CoLexOrder.merged(() -> rest, new ArrayList<>(List.of(run)), new int[0]);
        return new FreshRun(
                rest,
                Arrays.copyOf(starts, count + 1),
                Arrays.copyOf(keptTails, count),
                Arrays.copyOf(keptTimes, count),
                Arrays.copyOf(keptCopied, count),
                Arrays.copyOf(keptSignatures, count),
                order);
    }

    /** No generation counts as completed later. */
    void capTimes(long millis) {
        Arrays.setAll(times, i -> Math.min(times[i], millis));
    }

    void copyInto(List<RememberedAnswer> answers) {
        for (int document = 0; document < documents(); document++) {
            int start = documentStarts[document];
            int answer = start + tails[document];
            answers.add(new RememberedAnswer(
                    Arrays.copyOfRange(text, start, answer),
                    Arrays.copyOfRange(text, answer, documentStarts[document + 1] - 1),
                    copied[document],
                    signatures[document]));
        }
    }

    boolean hides(int token) {
        return hiddenTokens.contains(token);
    }

    int documents() {
        return times.length;
    }

    /** Stored tokens of a document, its prompt's tail among them. */
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

    synchronized void count(TokenCounts counts) {
        if (said == null) {
            TokenCounts own = new TokenCounts();
            own.addDocuments(documents());
            for (int document = 0; document < documents(); document++) {
                count(document, own);
            }
            said = SaidTokens.of(own);
        }
        said.addTo(counts);
    }

    /** The answer's tokens but the last, after which nothing comes. */
    private void count(int document, TokenCounts counts) {
        int answer = documentStarts[document] + tails[document];
        BitSet known = copied[document];
        for (int position = answer; position < documentStarts[document + 1] - 2; position++) {
            boolean fromContext = known != null && known.get(position - answer);
            counts.add(text[position], 1, known == null ? 0 : 1, fromContext ? 1 : 0);
            if (position > answer) {
                counts.addAfter(text[position - 1], known == null ? 0 : 1, fromContext ? 1 : 0);
            }
        }
    }

    /** Whether any answer has a signature. */
    boolean isSigned() {
        for (PromptSignature signature : signatures) {
            if (signature.size() > 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized SignaturePostings postings() {
        if (postings == null) {
            postings = SignaturePostings.of(documents(), this::signatureHash);
        }
        return postings;
    }

    @Override
    public char signatureHash(int document, int number) {
        return signatures[document].hash(number);
    }

    @Override
    public int documentStart(int document) {
        return documentStarts[document];
    }

    @Override
    public int tail(int document) {
        return tails[document];
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < text.length ? text[position] : TERMINATOR;
    }
}
