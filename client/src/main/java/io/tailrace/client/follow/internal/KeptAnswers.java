package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.SpoolState;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers of a client without a fleet, kept in a folder so that they outlive it: what is finished here goes into segments, which the lanes then
 * draft from as if they had been announced. Every {@value #FLUSH_SECONDS} seconds a thread writes what has come; a process that is killed loses
 * what came since. One process a folder. Safe for any number of threads.
 */
public final class KeptAnswers implements Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(KeptAnswers.class);
    private static final int FLUSH_SECONDS = 10;
    private static final long CLOSE_SECONDS_MAX = 30;

    private final ServedLanes lanes;
    private final Path folder;
    private final long laneTokensMax;
    private final Map<String, KeptLane> kept = new LinkedHashMap<>();
    private final Map<String, List<Compaction.Input>> waiting = new LinkedHashMap<>();
    private final ScheduledExecutorService writing = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "kept-answers");
        thread.setDaemon(true);
        return thread;
    });

    private ScheduledFuture<?> flushing;

    private KeptAnswers(ServedLanes lanes, Path folder, long laneTokensMax) {
        this.lanes = lanes;
        this.folder = folder;
        this.laneTokensMax = laneTokensMax;
    }

    /**
     * Takes a folder up: what an earlier process kept is drafted from at once.
     *
     * @param folder made if it is not there
     * @param laneTokensMax of a lane; above it the oldest segment goes
     * @throws IOException if the folder cannot be used; a damaged file costs its answers only, and the log says so
     */
    public static KeptAnswers open(ServedLanes lanes, Path folder, long laneTokensMax) throws IOException {
        KeptAnswers answers = new KeptAnswers(lanes, folder.resolve(name(lanes.model())), laneTokensMax);
        Files.createDirectories(answers.folder);
        try (var scopes = Files.list(answers.folder)) {
            for (Path scope : scopes.sorted().toList()) {
                answers.takeUp(scope);
            }
        }
        answers.flushing = answers.writing.scheduleWithFixedDelay(
                answers::flushOrSay, FLUSH_SECONDS, FLUSH_SECONDS, TimeUnit.SECONDS);
        return answers;
    }

    private void takeUp(Path scope) throws IOException {
        KeptLane lane = KeptLane.open(scope, lanes.model(), laneTokensMax);
        lane.scope().ifPresent(name -> {
            kept.put(name, lane);
            lane.serve(lanes.ofRequest(name), new long[0]);
        });
    }

    /** It is in a segment with the next flush. */
    @Override
    public void generation(Generation generation) {
        add(
                generation.getLane().getScope(),
                generation.getRequestId(),
                generation.getProducer(),
                answer(generation),
                generation.getCompletedAt().toEpochMilli());
    }

    private static RememberedAnswer answer(Generation generation) {
        int[] response = TokenIds.toArray(generation.getResponse());
        return generation.getPrompt() == null
                ? RememberedAnswer.of(response)
                : RememberedAnswer.of(TokenIds.toArray(generation.getPrompt()), RememberedAnswer.TAIL_TOKENS, response);
    }

    @Override
    public void outcome(Outcome outcome) {
        // Nobody learns from it here.
    }

    @Override
    public void status(WorkerStatus status) {
        // There is nobody to tell.
    }

    @Override
    public long failures() {
        return 0;
    }

    @Override
    public boolean live() {
        return !writing.isShutdown();
    }

    @Override
    public Optional<SpoolState> spool() {
        return Optional.empty();
    }

    void add(String scope, String requestId, String producer, RememberedAnswer answer, long completedAtMillis) {
        RequestHash request = RequestHash.of(requestId);
        GenerationEntry entry = new GenerationEntry(request.high(), request.low(), producer, completedAtMillis);
        synchronized (waiting) {
            waiting.computeIfAbsent(scope, each -> new ArrayList<>()).add(new Compaction.Input(entry, answer));
        }
    }

    /**
     * Writes what waits.
     *
     * @throws IOException if a lane cannot be written; what it was to hold waits on
     */
    synchronized void flush() throws IOException {
        Map<String, List<Compaction.Input>> batch;
        synchronized (waiting) {
            batch = new LinkedHashMap<>(waiting);
            waiting.clear();
        }
        for (Map.Entry<String, List<Compaction.Input>> lane : batch.entrySet()) {
            flush(lane.getKey(), lane.getValue());
        }
    }

    private void flush(String scope, List<Compaction.Input> answers) throws IOException {
        boolean written = false;
        try {
            KeptLane lane = kept.get(scope);
            if (lane == null) {
                lane = KeptLane.open(folder.resolve(encode(scope)), lanes.model(), laneTokensMax);
                kept.put(scope, lane);
            }
            lane.add(answers, scope);
            lane.serve(
                    lanes.ofRequest(scope),
                    answers.stream()
                            .mapToLong(answer -> answer.entry().completedAtMillis())
                            .toArray());
            written = true;
        } finally {
            if (!written) {
                synchronized (waiting) {
                    waiting.computeIfAbsent(scope, each -> new ArrayList<>()).addAll(answers);
                }
            }
        }
    }

    private void flushOrSay() {
        try {
            flush();
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("answers cannot be kept now, trying again in {} s: {}", FLUSH_SECONDS, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("answers cannot be kept, trying again in {} s", FLUSH_SECONDS, e);
        }
    }

    private static String name(ServedModel model) {
        return encode(model.model() + "@" + model.revision());
    }

    private static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace(".", "%2E");
    }

    /** Writes what waits. */
    @Override
    public void close() {
        flushing.cancel(false);
        writing.shutdown();
        try {
            if (!writing.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("what is being kept takes too long; it is left");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        flushOrSay();
    }
}
