package io.tailrace.suffix;

/**
 * Which answers of one text have which hash in their signatures: an inverted index. Immutable.
 *
 * <p>Entries are sorted by hash, then by answer. Hashes that agree in their upper bits share a bucket, and there are about as many buckets as
 * entries; so where there are many entries each hash has a bucket of its own, and a look-up is one read. Made in time linear in the entries.
 * Memory: 4 bytes an entry, 2 more and about 4 for its bucket where entries are few; 256 KiB for buckets at most.
 */
public final class SignaturePostings {
    /** Of a text without signatures. */
    public static final SignaturePostings EMPTY = of(0, (document, number) -> PromptSignature.NO_HASH);

    private static final int BITS = Character.SIZE;

    private final int shift;
    /** First entry of each bucket, and one more: their number. */
    private final int[] buckets;
    /** Of each entry; null where buckets say it. */
    private final char[] hashes;

    private final int[] documents;
    private final int count;
    private final int answers;

    /** The hashes of answers. */
    @FunctionalInterface
    public interface Hashes {
        /**
         * As {@link SignedAnswers#signatureHash}.
         *
         * @param document the answer's number
         * @param number of the hash
         * @return the hash, or {@link PromptSignature#NO_HASH} behind the last
         */
        char hash(int document, int number);
    }

    private SignaturePostings(int count, int entries, int answers) {
        int bits = bits(entries);
        this.shift = BITS - bits;
        this.buckets = new int[(1 << bits) + 1];
        this.hashes = shift == 0 ? null : new char[entries];
        this.documents = new int[entries];
        this.count = count;
        this.answers = answers;
    }

    /** As many as tell the entries' buckets apart. */
    private static int bits(long entries) {
        return Math.min(BITS, Long.SIZE - Long.numberOfLeadingZeros(entries));
    }

    /**
     * The most that the postings of some answers take, whatever their signatures are.
     *
     * @param answers how many
     * @return bytes of heap
     */
    public static long bytesMax(long answers) {
        return bytes(answers * PromptSignature.HASHES_MAX);
    }

    private static long bytes(long entries) {
        int bits = bits(entries);
        long bytes = Integer.BYTES * (entries + (1L << bits) + 1);
        return bits == BITS ? bytes : bytes + Character.BYTES * entries;
    }

    /**
     * The postings of answers {@code 0..count}.
     *
     * @param count how many answers there are, with a signature or without
     * @param of their hashes
     * @return what tells which have which
     */
    public static SignaturePostings of(int count, Hashes of) {
        int entries = 0;
        int answers = 0;
        char[] read = new char[PromptSignature.HASHES_MAX];
        for (int document = 0; document < count; document++) {
            int size = read(document, of, read);
            entries += size;
            answers += size > 0 ? 1 : 0;
        }
        SignaturePostings postings = new SignaturePostings(count, entries, answers);
        postings.fill(of);
        return postings;
    }

    /** Reads the hashes of an answer; returns how many they are. */
    private static int read(int document, Hashes of, char[] into) {
        for (int number = 0; number < into.length; number++) {
            into[number] = of.hash(document, number);
            if (into[number] == PromptSignature.NO_HASH) {
                return number;
            }
        }
        return into.length;
    }

    private void fill(Hashes of) {
        char[] read = new char[PromptSignature.HASHES_MAX];
        for (int document = 0; document < count; document++) {
            int size = read(document, of, read);
            for (int i = 0; i < size; i++) {
                buckets[(read[i] >>> shift) + 1]++;
            }
        }
        for (int bucket = 1; bucket < buckets.length; bucket++) {
            buckets[bucket] += buckets[bucket - 1];
        }
        if (hashes == null) {
            place(of);
        } else if (hashes.length > 0) {
            placeByLowerBits(of);
        }
    }

    /** Each hash has a bucket of its own, and answers come in order. */
    private void place(Hashes of) {
        int[] next = buckets.clone();
        char[] read = new char[PromptSignature.HASHES_MAX];
        for (int document = 0; document < count; document++) {
            int size = read(document, of, read);
            for (int i = 0; i < size; i++) {
                documents[next[read[i]]++] = document;
            }
        }
    }

    /** Two passes of a stable sort by counting: by the bits that tell hashes of a bucket apart, then by bucket. */
    private void placeByLowerBits(Hashes of) {
        int[] next = new int[(1 << shift) + 1];
        int lower = (1 << shift) - 1;
        char[] read = new char[PromptSignature.HASHES_MAX];
        for (int document = 0; document < count; document++) {
            int size = read(document, of, read);
            for (int i = 0; i < size; i++) {
                next[(read[i] & lower) + 1]++;
            }
        }
        for (int bits = 1; bits < next.length; bits++) {
            next[bits] += next[bits - 1];
        }
        char[] sortedHashes = new char[hashes.length];
        int[] sortedDocuments = new int[hashes.length];
        for (int document = 0; document < count; document++) {
            int size = read(document, of, read);
            for (int i = 0; i < size; i++) {
                char hash = read[i];
                int at = next[hash & lower]++;
                sortedHashes[at] = hash;
                sortedDocuments[at] = document;
            }
        }
        placeSorted(sortedHashes, sortedDocuments);
    }

    private void placeSorted(char[] sortedHashes, int[] sortedDocuments) {
        int[] next = buckets.clone();
        for (int entry = 0; entry < sortedHashes.length; entry++) {
            int at = next[sortedHashes[entry] >>> shift]++;
            hashes[at] = sortedHashes[entry];
            documents[at] = sortedDocuments[entry];
        }
    }

    /** {@return bytes of heap that they take} */
    public long bytes() {
        return bytes(documents.length);
    }

    /** {@return answers that the text has, with a signature or without} */
    public int documents() {
        return count;
    }

    /** {@return answers that have a signature} */
    public int answers() {
        return answers;
    }

    /**
     * The first entry of a hash; entries up to {@link #to} are of it, in ascending order of answers.
     *
     * @param hash 1 to 65,535
     * @return an entry's number
     */
    public int from(char hash) {
        return bound(hash);
    }

    /**
     * Behind the last entry of a hash.
     *
     * @param hash 1 to 65,535
     * @return an entry's number
     */
    public int to(char hash) {
        return bound(hash + 1);
    }

    /**
     * An entry's answer.
     *
     * @param entry its number
     * @return the answer's number
     */
    public int document(int entry) {
        return documents[entry];
    }

    /** The first entry whose hash is at least this. */
    private int bound(int hash) {
        int bucket = hash >>> shift;
        if (hashes == null || bucket == buckets.length - 1) {
            return buckets[bucket];
        }
        int low = buckets[bucket];
        int high = buckets[bucket + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (hashes[middle] < hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
