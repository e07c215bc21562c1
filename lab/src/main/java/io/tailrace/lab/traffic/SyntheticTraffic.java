package io.tailrace.lab.traffic;

import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.traffic.Tenant.Share;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/**
 * Synthetic requests of three tenants, in the order in which they arrive. In the middle of the stream the traffic shifts:
 * {@code acme} goes over from chat and extraction to text-to-SQL, {@code borealis} starts to extract beside editing code,
 * {@code cumulus} stays as it was. The same seed and count give the same requests.
 */
public final class SyntheticTraffic implements Iterator<RecordedRequest> {
    /** Token ids are below it. */
    public static final int VOCABULARY_SIZE = Vocabulary.SIZE;
    /** The id that ends every response. */
    public static final int END_OF_TURN = Vocabulary.id("<end>");
    /** The model that the answers pretend to come from. */
    public static final String MODEL = "synthetic";

    private static final Path SOURCE = Path.of("synthetic");
    private static final double ACME_SHARE = 0.5;
    private static final double BOREALIS_SHARE = 0.2;

    private final SplittableRandom random;
    private final int requests;
    private final Tenant acme;
    private final Tenant borealis;
    private final Tenant cumulus;
    private int dealt;

    public SyntheticTraffic(long seed, int requests) {
        if (requests < 0) {
            throw new IllegalArgumentException("requests must be at least 0, got " + requests);
        }
        this.random = new SplittableRandom(seed);
        this.requests = requests;
        acme = new Tenant(
                "acme",
                List.of(
                        new Share(new OpenChat(random.split()), 0.6, 0.1),
                        new Share(new JsonExtraction(random.split()), 0.4, 0.0),
                        new Share(new TextToSql(random.split()), 0.0, 0.9)));
        borealis = new Tenant(
                "borealis",
                List.of(
                        new Share(new CodeEdits(random.split()), 1.0, 0.5),
                        new Share(new JsonExtraction(random.split()), 0.0, 0.5)));
        cumulus = new Tenant(
                "cumulus",
                List.of(
                        new Share(new TextToSql(random.split()), 0.8, 0.8),
                        new Share(new JsonExtraction(random.split()), 0.2, 0.2)));
    }

    /** Index of the first request after the shift. */
    public int shiftAt() {
        return requests / 2;
    }

    @Override
    public boolean hasNext() {
        return dealt < requests;
    }

    @Override
    public RecordedRequest next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all " + requests + " requests are dealt");
        }
        Tenant tenant = draw();
        boolean shifted = dealt >= shiftAt();
        dealt++;
        String id = "synthetic-%06d".formatted(dealt);
        Tenant.Dealt next = tenant.next(id, shifted, random);
        int[] prompt = next.turn().prompt();
        return new RecordedRequest(
                id,
                tenant.scope(),
                next.workload(),
                next.session(),
                next.parent(),
                prompt,
                prompt.length,
                next.turn().response(),
                new RecordedRequest.Position(SOURCE, dealt));
    }

    /** The invented words of some token ids, for people. */
    public static String words(int[] ids) {
        StringBuilder words = new StringBuilder();
        for (int id : ids) {
            words.append(words.isEmpty() ? "" : " ").append(Vocabulary.word(id));
        }
        return words.toString();
    }

    private Tenant draw() {
        double at = random.nextDouble();
        if (at < ACME_SHARE) {
            return acme;
        }
        return at < ACME_SHARE + BOREALIS_SHARE ? borealis : cumulus;
    }
}
