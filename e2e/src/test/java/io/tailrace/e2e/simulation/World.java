package io.tailrace.e2e.simulation;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.publishing.PublishingOptions;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.signing.TrustedKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What jobs and workers share: time, topics, the store, and the dice that decide. */
final class World {
    static final long START = 1_700_000_000_000L;
    static final ModelCatalog.Model MODEL = new ModelCatalog.Model("toy", "1", 1000, "toy-tokenizer");
    static final ModelCatalog MODELS = new ModelCatalog(List.of(MODEL));
    static final List<String> SCOPES = List.of("acme", "zenith");
    /** Signing and checking take the time of everything else. */
    private static final int SIGNED_ONCE_IN = 8;

    private static final Map<String, String> LANES = SCOPES.stream()
            .collect(Collectors.toMap(
                    scope -> scope, scope -> new LaneId(MODEL.model(), MODEL.revision(), scope).toString()));
    static final int SHARDS = 2;
    static final long GRACE_MILLIS = 60_000;
    static final long DELETE_MILLIS_MAX = 20_000;
    static final long NEWEST_AGE_MILLIS_MAX = 20_000;
    static final long GENERATION_AGE_MILLIS_MAX = Duration.ofHours(30).toMillis();
    /** Kafka's, of topics generations and admitted, and of tombstones. */
    static final long RETENTION_MILLIS = Duration.ofDays(1).toMillis();

    static final PublishingOptions PUBLISHING = new PublishingOptions(
            1_000,
            40,
            NEWEST_AGE_MILLIS_MAX,
            PublishingOptions.WAITING_BYTES_MAX,
            400,
            GENERATION_AGE_MILLIS_MAX,
            0,
            Duration.ofDays(8).toMillis(),
            DELETE_MILLIS_MAX,
            4,
            Duration.ofHours(6).toMillis(),
            GRACE_MILLIS,
            8 << 10,
            false);

    final Random random;
    final Fault fault;
    final Path folder;
    final SimulatedTopic generations = new SimulatedTopic("generations");
    final SimulatedTopic control = new SimulatedTopic("control");
    final SimulatedTopic snapshots = new SimulatedTopic("snapshots");
    final SimulatedTopic events = new SimulatedTopic("events");
    final SimulatedTopic admitted = new SimulatedTopic("admitted");
    final SimulatedStore store;
    final SimulatedKeys keys;
    final Truth truth;
    final AnnouncementRules announcements;
    final JobRules books;
    final ReportRules reports;
    final Clocks clocks;
    private final List<String> story = new ArrayList<>();
    private long now = START;

    World(long seed, Fault fault, Path folder) {
        // Seeds that follow each other give a Random nearly the same first numbers.
        this.random = new Random(new SplittableRandom(seed).nextLong());
        this.fault = fault;
        this.folder = folder;
        this.store = new SimulatedStore(this::now);
        this.keys = new SimulatedKeys(fault.isOfSignatures() || (oneIn(SIGNED_ONCE_IN) && !fault.isOfHostileRecords()));
        this.clocks = new Clocks(this);
        this.truth = new Truth(this);
        this.announcements = new AnnouncementRules(truth);
        this.books = new JobRules(truth);
        this.reports = new ReportRules(truth);
    }

    /** Whom workers believe. */
    TrustedKeys workerTrusts() {
        return fault == Fault.WORKERS_TAKE_ANY_SIGNATURE ? TrustedKeys.none() : keys.trusted();
    }

    long now() {
        return now;
    }

    void pass(long millis) {
        now += millis;
    }

    /** Kafka forgets what is older than it keeps. */
    void forget() {
        generations.retain(now - RETENTION_MILLIS);
        snapshots.compact(now - RETENTION_MILLIS);
    }

    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** A line of what happened, for whoever looks into a failure. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation lives in a library that nothing else here needs
    void tell(String what, Object... values) {
        story.add("%,12d  %s".formatted(now - START, what.formatted(values)));
    }

    List<String> story() {
        return story;
    }

    /**
     * What happened, what topics hold of it, and the dice's next number: two lives of one seed agree in it. Topics control and events are left out, for a
     * job's claim has the time of day, and an event's numbers have no order; the story names what they say.
     */
    List<String> account() {
        List<String> account = new ArrayList<>(story);
        Stream.of(generations, admitted, snapshots).forEach(topic -> account.addAll(topic.lines()));
        account.add("next " + random.nextLong());
        return account;
    }

    static String lane(String scope) {
        return LANES.get(scope);
    }
}
