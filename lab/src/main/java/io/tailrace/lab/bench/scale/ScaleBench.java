package io.tailrace.lab.bench.scale;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.lab.bench.scale.ScalePoint.Grows;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.common.Node;

/** Makes an installation for each point, sends it traffic, and counts what it costs. */
final class ScaleBench {
    /** Followers that really follow. */
    static final int FETCHING_MAX = 32;

    private static final int HEAP_MEGABYTES = 3_072;
    /** A lane's budget, if its size does not ask for more. */
    private static final long LANE_TOKENS_MIN = 32_000_000;

    private static final Duration SETTLED_MAX = Duration.ofMinutes(15);
    private static final List<Topic> WRITTEN_BY_JOB =
            List.of(Topic.SNAPSHOTS, Topic.ADMITTED, Topic.EVENTS, Topic.REJECTIONS, Topic.CONTROL);

    private final Options options;
    private final Path folder;
    private final Consumer<String> progress;

    /**
     * How it is measured.
     *
     * @param lanes of the points that differ in lanes
     * @param rates generations a second, of the points that differ in traffic
     * @param followers of the points that differ in followers
     * @param laneTokens that the only lane holds, of the points that differ in its size
     * @param coldLanes of one more point; 0: without it
     * @param rate generations a second, where points differ in something else
     * @param warmSeconds traffic before what counts
     * @param seconds traffic that counts
     * @param answerTokens of each generation
     */
    record Options(
            List<Integer> lanes,
            List<Integer> rates,
            List<Integer> followers,
            List<Integer> laneTokens,
            int coldLanes,
            int rate,
            int warmSeconds,
            int seconds,
            int answerTokens) {}

    /** One installation. */
    private record Setting(Grows grows, int size, int lanes, int coldLanes, int rate, int followers, long tokens) {}

    /** What a point's counters say at one moment. */
    private record Counted(JobUse job, Map<Topic, Long> topicBytes, long requests, long bytes, long nanos) {}

    ScaleBench(Options options, Path folder, Consumer<String> progress) {
        this.options = options;
        this.folder = folder;
        this.progress = progress;
    }

    List<ScalePoint> run() throws Exception {
        List<Setting> settings = new ArrayList<>();
        options.lanes.forEach(lanes -> settings.add(new Setting(Grows.LANES, lanes, lanes, 0, options.rate, 0, 0)));
        options.rates.forEach(rate -> settings.add(new Setting(Grows.RATE, rate, 8, 0, rate, 0, 0)));
        options.followers.forEach(
                followers -> settings.add(new Setting(Grows.FOLLOWERS, followers, 1, 0, options.rate, followers, 0)));
        if (options.coldLanes > 0) {
            settings.add(new Setting(Grows.COLD, options.coldLanes, 100, options.coldLanes, options.rate, 0, 0));
        }
        options.laneTokens.forEach(
                tokens -> settings.add(new Setting(Grows.LANE_TOKENS, tokens, 1, 0, options.rate, 0, tokens)));
        List<ScalePoint> points = new ArrayList<>();
        for (Setting setting : settings) {
            ScalePoint point = point(setting, folder.resolve("point-" + points.size()));
            progress.accept("%s %,d: %.2f cores, %.1f puts and %.2f MB a second into the store, announced after %,d ms"
                    .formatted(
                            setting.grows,
                            setting.size,
                            point.jobCores(),
                            point.putsPerSecond(),
                            point.putBytesPerSecond() / 1e6,
                            point.announcedP50Millis()));
            points.add(point);
        }
        return points;
    }

    private ScalePoint point(Setting setting, Path own) throws Exception {
        Path store = Files.createDirectories(own.resolve("store"));
        try (EmbeddedBroker broker = EmbeddedBroker.start(own.resolve("kafka"));
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
            try (JobChild job = JobChild.start(own, heapMegabytes(setting), jobArguments(setting, broker, own));
                    LoopObserver observer = LoopObserver.of(broker.bootstrap());
                    CountedFiles files = new CountedFiles(store);
                    ScaleTraffic traffic = new ScaleTraffic(broker.bootstrap(), options.answerTokens)) {
                traffic.one(setting.lanes, setting.lanes + setting.coldLanes);
                traffic.fill(setting.tokens);
                settle(observer);
                List<TailraceClient> followers = new ArrayList<>();
                int said = setting.followers - fetching(setting);
                SaidFollowers others = SaidFollowers.begin(broker.bootstrap(), "follower-0", said);
                try {
                    for (int i = 0; i < fetching(setting); i++) {
                        followers.add(follower("follower-" + i, broker, files, own));
                    }
                    return measure(setting, job, observer, files, traffic, admin);
                } finally {
                    others.close();
                    followers.forEach(TailraceClient::close);
                }
            }
        }
    }

    private ScalePoint measure(
            Setting setting, JobChild job, LoopObserver observer, CountedFiles files, ScaleTraffic traffic, Admin admin)
            throws Exception {
        traffic.run(setting.lanes, setting.rate, options.warmSeconds);
        Counted before = counted(job, files, admin);
        traffic.run(setting.lanes, setting.rate, options.seconds);
        Counted after = counted(job, files, admin);
        double settledSeconds = settle(observer);
        long heapBytes = job.useWithHeap().heapBytes();

        JobUse used = after.job.since(before.job);
        double seconds = (after.nanos - before.nanos) / 1e9;
        double snapshots = grown(before, after, Topic.SNAPSHOTS);
        double admitted = grown(before, after, Topic.ADMITTED);
        double all = WRITTEN_BY_JOB.stream()
                .mapToDouble(topic -> grown(before, after, topic))
                .sum();
        int followers = Math.max(1, fetching(setting));
        Histogram announced = observer.announcedMillis();
        return new ScalePoint(
                setting.grows,
                setting.size,
                setting.lanes,
                setting.coldLanes,
                setting.rate,
                setting.followers,
                used.cpuNanos() / 1e9 / seconds,
                heapBytes,
                used.checkpointBytes(),
                used.puts() / seconds,
                used.putBytes() / seconds,
                used.fetches() / seconds,
                used.fetchBytes() / seconds,
                used.lists() / seconds,
                used.deletes() / seconds,
                snapshots / seconds,
                admitted / seconds,
                (all - snapshots - admitted) / seconds,
                (after.requests - before.requests) / seconds / followers,
                (after.bytes - before.bytes) / seconds / followers,
                announced.getValueAtPercentile(50),
                announced.getValueAtPercentile(99),
                settledSeconds);
    }

    /** The others of a point's followers are only said to be there: one machine cannot fetch for all. */
    private static int fetching(Setting setting) {
        return Math.min(setting.followers, FETCHING_MAX);
    }

    private static double grown(Counted before, Counted after, Topic topic) {
        return after.topicBytes.get(topic) - before.topicBytes.get(topic);
    }

    private Counted counted(JobChild job, CountedFiles files, Admin admin)
            throws IOException, InterruptedException, ExecutionException {
        return new Counted(job.use(), topicBytes(admin), files.requests(), files.bytes(), System.nanoTime());
    }

    private static Map<Topic, Long> topicBytes(Admin admin) throws InterruptedException, ExecutionException {
        List<Integer> brokers =
                admin.describeCluster().nodes().get().stream().map(Node::id).toList();
        Map<Topic, Long> bytes = new EnumMap<>(Topic.class);
        for (Topic topic : WRITTEN_BY_JOB) {
            bytes.put(topic, 0L);
        }
        for (Map<String, LogDirDescription> folders :
                admin.describeLogDirs(brokers).allDescriptions().get().values()) {
            for (LogDirDescription logs : folders.values()) {
                logs.replicaInfos()
                        .forEach((partition, log) -> WRITTEN_BY_JOB.stream()
                                .filter(topic -> topic.name("").equals(partition.topic()))
                                .forEach(topic -> bytes.merge(topic, log.size(), Long::sum)));
            }
        }
        return bytes;
    }

    /** Waits until everything that was sent is announced; seconds that took. */
    private static double settle(LoopObserver observer) throws IOException {
        long began = System.nanoTime();
        do {
            observer.poll(Duration.ofMillis(200));
            if (System.nanoTime() - began > SETTLED_MAX.toNanos()) {
                throw new IOException("the job has not digested everything within %d s after the last generation"
                        .formatted(SETTLED_MAX.toSeconds()));
            }
        } while (!observer.accounting().settled());
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) / 1e3;
    }

    private static TailraceClient follower(String name, EmbeddedBroker broker, CountedFiles files, Path own)
            throws IOException {
        ServedModel model = new ServedModel(ScaleTraffic.MODEL, "1", ScaleTraffic.VOCABULARY, "t");
        TailraceClient client = TailraceClient.open(new ClientOptions(
                name,
                "scale",
                model,
                FollowOptions.of(files.uri(), own.resolve("cache").resolve(name)),
                Optional.empty(),
                Optional.of(ReportingOptions.unspooled(KafkaAccess.of(broker.bootstrap())))));
        client.start();
        return client;
    }

    private static long laneTokensMax(Setting setting) {
        return Math.max(LANE_TOKENS_MIN, setting.tokens * 5 / 4);
    }

    /** Merges of a full lane take 54 bytes a token. */
    private static int heapMegabytes(Setting setting) {
        return (int) Math.max(HEAP_MEGABYTES, 1_024 + laneTokensMax(setting) * 54 / 1_000_000);
    }

    private static List<String> jobArguments(Setting setting, EmbeddedBroker broker, Path own) {
        return List.of(
                "--bootstrap",
                broker.bootstrap(),
                "--store",
                own.resolve("store").toUri().toString(),
                "--scratch",
                own.resolve("scratch").toString(),
                "--lane-tokens",
                Long.toString(laneTokensMax(setting)),
                "--lanes-max",
                Integer.toString(setting.lanes + setting.coldLanes),
                "--model",
                "%s@1,vocabulary=%d,tokenizer=t".formatted(ScaleTraffic.MODEL, ScaleTraffic.VOCABULARY));
    }
}
