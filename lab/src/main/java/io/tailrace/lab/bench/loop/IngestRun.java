package io.tailrace.lab.bench.loop;

import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Feeds recorded generations to a job that runs in a process of its own, and measures that process's processor time: all of it, Flink's
 * JobManager, garbage collection and compilation included.
 */
final class IngestRun {
    static final String MEASURED = "measured";
    private static final String MODEL = "recorded";
    private static final int RENAMING = 7_919;
    private static final Duration START_MAX = Duration.ofMinutes(2);
    private static final Duration SETTLED_MAX = Duration.ofMinutes(4);

    private final Path folder;
    private final List<String> jobArguments;
    private int sent;

    /**
     * What a pass took.
     *
     * @param generations fed
     * @param responseTokens of them
     * @param cpuSeconds of the job's process, from the first record to closed books
     * @param compilerSeconds what of that the JVM's compilers took; null: not known
     * @param recorderSeconds what of that Flight Recorder took, which is not the job's; null: not known, and charged to the job
     * @param wallSeconds from the first record to closed books
     * @param threads where the processor time went, by the clocks of the process's threads; none where the system does not tell
     */
    record Pass(
            String name,
            long generations,
            long responseTokens,
            double cpuSeconds,
            Double compilerSeconds,
            Double recorderSeconds,
            double wallSeconds,
            List<CpuProfile.ThreadTime.Part> threads) {
        double tokensPerCpuSecond() {
            return responseTokens / (cpuSeconds - (recorderSeconds == null ? 0 : recorderSeconds));
        }

        /** What a job that has run for long comes near: nothing left to compile; null: not known. */
        Double tokensPerCpuSecondCompiled() {
            return compilerSeconds == null
                    ? null
                    : responseTokens / (responseTokens / tokensPerCpuSecond() - compilerSeconds);
        }
    }

    /**
     * What came out.
     *
     * @param evaluated generations of the last lane, in the last pass and the one before it
     */
    record Result(List<Pass> passes, long evaluated, List<CpuProfile.Share> profile) {
        /** The pass that is the figure: of those that count the one in the middle, of an even number the dearer. */
        Pass median() {
            List<Pass> counting =
                    passes.stream().filter(pass -> pass.name().equals(MEASURED)).toList();
            return counting.stream()
                    .sorted(Comparator.comparingDouble(Pass::tokensPerCpuSecond))
                    .toList()
                    .get((counting.size() - 1) / 2);
        }
    }

    IngestRun(Path folder, List<String> jobArguments) {
        this.folder = folder;
        this.jobArguments = jobArguments;
    }

    /**
     * Two passes go into a lane: the first fills it, and in the second generations are evaluated against what the first brought, and merged
     * with it. The second of a lane counts, from the last of the warm-ups on: so what is measured was done before, and does not depend on the number of warm-ups.
     */
    Result run(List<ReplayCase> cases, int warmUps, int measured) throws Exception {
        Files.createDirectories(folder.resolve("store"));
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"))) {
            Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrap());
            try (Admin admin = Admin.create(settings)) {
                new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
            }
            Path recording = folder.resolve("job.jfr");
            Process job = startJob(broker.bootstrap(), recording);
            try (LoopObserver observer = LoopObserver.of(broker.bootstrap())) {
                List<Pass> passes = new ArrayList<>();
                for (int left = warmUps + 2 * (measured - 1); left >= 0; left--) {
                    int shift = left * RENAMING;
                    passes.add(pass(
                            name(left, measured),
                            "lane-" + left / 2,
                            cases,
                            token -> renamed(token, shift),
                            broker,
                            observer,
                            job));
                }
                long evaluated = observer.newest()
                        .map(manifest -> manifest.getEvaluation() == null
                                ? 0
                                : manifest.getEvaluation().getGenerations())
                        .orElse(0L);
                job.destroy();
                job.waitFor(60, TimeUnit.SECONDS);
                return new Result(passes, evaluated, CpuProfile.read(recording));
            } finally {
                job.destroyForcibly();
            }
        }
    }

    /** @param left so many passes come behind it */
    private static String name(int left, int measured) {
        if (left % 2 == 1) {
            return "fills a lane";
        }
        return left < 2 * measured ? MEASURED : "evaluated and merged";
    }

    /** A one-to-one change of tokens: text with the same repetitions that shares none with the text as it was. */
    private static int renamed(int token, int shift) {
        return (token + shift) % ShiftTraffic.VOCABULARY;
    }

    /** With this JVM's options and its whole heap from the start, as {@code tailrace job} has it. */
    private Process startJob(String bootstrap, Path recording) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-Xms" + Runtime.getRuntime().maxMemory(),
                "-XX:StartFlightRecording=filename=" + recording + ",dumponexit=true,settings=default",
                "-Dtailrace.home=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "io.tailrace.cli.Tailrace",
                "job",
                "--bootstrap",
                bootstrap,
                "--store",
                folder.resolve("store").toUri().toString(),
                "--scratch",
                folder.resolve("scratch").toString(),
                "--folder",
                folder.resolve("flink").toString(),
                "--port",
                "0",
                "--model",
                "%s@1,vocabulary=%d,tokenizer=t".formatted(MODEL, ShiftTraffic.VOCABULARY)));
        command.addAll(jobArguments);
        Process job = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("job.log").toFile())
                .start();
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (!Files.readString(folder.resolve("job.log")).contains("Dashboard:")) {
            if (!job.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("the job did not start; see " + folder.resolve("job.log"));
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        return job;
    }

    private Pass pass(
            String name,
            String scope,
            List<ReplayCase> cases,
            IntUnaryOperator naming,
            EmbeddedBroker broker,
            LoopObserver observer,
            Process job)
            throws Exception {
        double cpuBefore = cpuSeconds(job);
        Optional<CpuProfile.ThreadTime> before = CpuProfile.ThreadTime.of(job.pid());
        long began = System.nanoTime();
        long tokens = send(scope, cases, naming, broker.bootstrap());
        long deadline = System.nanoTime() + SETTLED_MAX.toNanos();
        do {
            observer.poll(Duration.ofMillis(200));
            if (System.nanoTime() > deadline || !job.isAlive()) {
                throw new IOException("the job has not digested everything within " + SETTLED_MAX.toSeconds() + " s");
            }
        } while (!observer.accounting().settled());
        Optional<CpuProfile.ThreadTime> took =
                before.flatMap(earlier -> CpuProfile.ThreadTime.of(job.pid()).map(now -> now.since(earlier)));
        double cpuSeconds = cpuSeconds(job) - cpuBefore;
        return new Pass(
                name,
                cases.size(),
                tokens,
                cpuSeconds,
                took.map(time -> time.of(CpuProfile.ThreadTime.COMPILERS)).orElse(null),
                took.map(time -> time.of(CpuProfile.ThreadTime.RECORDER)).orElse(null),
                (System.nanoTime() - began) / 1e9,
                took.map(time -> time.parts(cpuSeconds)).orElse(List.of()));
    }

    private long send(String scope, List<ReplayCase> cases, IntUnaryOperator naming, String bootstrap)
            throws IOException {
        long tokens = 0;
        AtomicReference<Exception> failed = new AtomicReference<>();
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrap, "linger.ms", 20, "batch.size", 1 << 18, "max.request.size", 8 << 20);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (ReplayCase request : cases) {
                String id = "ingest-" + sent++;
                ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                        Topic.GENERATIONS.name(""),
                        id.getBytes(StandardCharsets.UTF_8),
                        RecordCodec.GENERATION.encode(generation(id, scope, request, naming)));
                Future<RecordMetadata> unused = producer.send(message, (done, wrong) -> {
                    if (wrong != null) {
                        failed.compareAndSet(null, wrong);
                    }
                });
                tokens += request.response().length;
            }
        }
        if (failed.get() != null) {
            throw new IOException(
                    "a generation could not be written: " + failed.get().getMessage(), failed.get());
        }
        return tokens;
    }

    private static Generation generation(String id, String scope, ReplayCase request, IntUnaryOperator naming) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return Generation.newBuilder()
                .setRequestId(id)
                .setLane(new Lane(MODEL, "1", scope))
                .setProducer("bench")
                .setPrompt(tokens(request.prompt(), naming))
                .setResponse(tokens(request.response(), naming))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build();
    }

    private static List<Integer> tokens(int[] tokens, IntUnaryOperator naming) {
        return TokenIds.toList(Arrays.stream(tokens).map(naming).toArray());
    }

    private static double cpuSeconds(Process job) {
        return job.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
}
