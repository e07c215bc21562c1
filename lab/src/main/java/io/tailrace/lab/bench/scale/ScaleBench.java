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
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
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

    private static final Duration POLL = Duration.ofMillis(200);
    private static final String FOLLOWER = "follower-";
    private static final List<Topic> WRITTEN_BY_JOB =
            List.of(Topic.SNAPSHOTS, Topic.ADMITTED, Topic.EVENTS, Topic.REJECTIONS, Topic.CONTROL);

    private final Options options;
    private final Path folder;
    private final Consumer<ScalePoint> done;

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
     * @param settleMax how long a point may take to digest what was sent, before and after its traffic together
     * @param jobOptions of the job, without their dashes, beyond what the points need
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
            int answerTokens,
            Duration settleMax,
            Map<String, String> jobOptions) {}

    /** One installation. */
    private record Setting(Grows grows, int size, int lanes, int coldLanes, int rate, int followers, long tokens) {}

    /** What a point's counters say at one moment. */
    private record Counted(
            JobUse job, Map<Topic, Long> topicBytes, long requests, long bytes, long received, long nanos) {}

    /** @param done told of each point, as soon as it is measured */
    ScaleBench(Options options, Path folder, Consumer<ScalePoint> done) {
        this.options = options;
        this.folder = folder;
        this.done = done;
    }

    void run() throws Exception {
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
        for (int number = 0; number < settings.size(); number++) {
            done.accept(point(settings.get(number), folder.resolve("point-" + number)));
        }
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
                Settling settling = new Settling(
                        () -> {
                            observer.poll(POLL);
                            return observer.accounting().settled();
                        },
                        options.settleMax,
                        System::nanoTime);
                settling.await();
                List<TailraceClient> followers = new ArrayList<>();
                int said = setting.followers - fetching(setting);
                SaidFollowers others = SaidFollowers.begin(broker.bootstrap(), FOLLOWER + 0, said);
                try {
                    for (int i = 0; i < fetching(setting); i++) {
                        followers.add(follower(FOLLOWER + i, broker, files, own));
                    }
                    return measure(setting, job, observer, settling, files, traffic, admin);
                } finally {
                    others.close();
                    followers.forEach(TailraceClient::close);
                }
            }
        }
    }

    private ScalePoint measure(
            Setting setting,
            JobChild job,
            LoopObserver observer,
            Settling settling,
            CountedFiles files,
            ScaleTraffic traffic,
            Admin admin)
            throws Exception {
        traffic.run(setting.lanes, setting.rate, options.warmSeconds);
        Counted before = counted(job, files, admin);
        observer.announcedMillisFrom(Instant.now());
        traffic.run(setting.lanes, setting.rate, options.seconds);
        Counted after = counted(job, files, admin);
        double settledSeconds = settling.await();
        JobUse atRest = job.useWithHeap();

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
                atRest.heapBytes(),
                atRest.peakResidentBytes(),
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
                (after.received - before.received) / seconds / followers,
                announced.getValueAtPercentile(50),
                announced.getValueAtPercentile(99),
                settledSeconds,
                !settling.inVain());
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
        return new Counted(
                job.use(),
                topicBytes(admin),
                files.requests(),
                files.bytes(),
                ReceivedBytes.ofConsumers(FOLLOWER),
                System.nanoTime());
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

    private List<String> jobArguments(Setting setting, EmbeddedBroker broker, Path own) {
        List<String> arguments = new ArrayList<>(List.of(
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
                "%s@1,vocabulary=%d,tokenizer=t".formatted(ScaleTraffic.MODEL, ScaleTraffic.VOCABULARY)));
        options.jobOptions.forEach((name, value) -> arguments.addAll(List.of("--" + name, value)));
        return arguments;
    }
}
