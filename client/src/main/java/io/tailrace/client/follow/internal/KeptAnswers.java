package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers of a client without a fleet, kept in a folder so that they outlive it: what is finished here goes into segments, which the lanes then
 * draft from as if they had been announced. Every {@value #FLUSH_SECONDS} seconds a thread writes what has come; a process that is killed loses
 * what came since. What cannot be written waits in memory, up to {@link #WAITING_TOKENS_MAX}. One process at a time has a model's folder: a locked
 * file in it sees to that. Safe for any number of threads.
 */
public final class KeptAnswers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeptAnswers.class);
    private static final int FLUSH_SECONDS = 10;
    private static final long CLOSE_SECONDS_MAX = 30;
    /** Of all lanes together; some 16 MB. */
    static final long WAITING_TOKENS_MAX = 4_000_000;
    /** No scope's folder has this name: encoded scopes have no dot. */
    private static final String LOCK = ".lock";

    private final ServedLanes lanes;
    private final Path folder;
    private final long laneTokensMax;
    private final Map<String, KeptLane> kept = new LinkedHashMap<>();
    private final WaitingAnswers waiting = new WaitingAnswers(WAITING_TOKENS_MAX);
    /** An engine's door tells an answer again that it cannot know to have arrived: it must not count twice. */
    private final Set<Told> told = new LinkedHashSet<>();

    private final FileChannel lockFile;
    private final ScheduledExecutorService writing = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "kept-answers");
        thread.setDaemon(true);
        return thread;
    });

    private ScheduledFuture<?> flushing;

    /** A request's id is its scope's. */
    private record Told(String scope, RequestHash request) {}

    private KeptAnswers(ServedLanes lanes, Path folder, long laneTokensMax, FileChannel lockFile) {
        this.lanes = lanes;
        this.folder = folder;
        this.laneTokensMax = laneTokensMax;
        this.lockFile = lockFile;
    }

    /**
     * Takes a folder up: what an earlier process kept is drafted from at once.
     *
     * @param folder made if it is not there
     * @param laneTokensMax of a lane; above it the oldest segment goes
     * @throws IOException if the folder cannot be used, another process has it, or it holds answers of another tokenizer; a file that is damaged or cannot
     *     be read costs its answers only, and the log says so
     */
    public static KeptAnswers open(ServedLanes lanes, Path folder, long laneTokensMax) throws IOException {
        Path ofModel = Files.createDirectories(folder.resolve(name(lanes.model())));
        FileChannel lockFile =
                FileChannel.open(ofModel.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (!locks(lockFile)) {
                throw new IOException(
                        "another process keeps the answers of %s@%s in %s; give each agent a folder of its own with --kept"
                                .formatted(lanes.model().model(), lanes.model().revision(), folder));
            }
            KeptAnswers answers = new KeptAnswers(lanes, ofModel, laneTokensMax, lockFile);
            answers.takeUp();
            answers.flushing = answers.writing.scheduleWithFixedDelay(
                    answers::flushOrSay, FLUSH_SECONDS, FLUSH_SECONDS, TimeUnit.SECONDS);
            return answers;
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static boolean locks(FileChannel lockFile) throws IOException {
        try {
            return lockFile.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private void takeUp() throws IOException {
        List<Path> scopes;
        try (Stream<Path> all = Files.list(folder)) {
            scopes = all.filter(Files::isDirectory).sorted().toList();
        }
        for (Path scope : scopes) {
            try {
                takeUp(KeptLane.open(scope, lanes.model(), laneTokensMax));
            } catch (KeptLane.AnotherModelException e) {
                throw e;
            } catch (IOException | IllegalArgumentException e) { // the latter: a segment of no lane
                LOG.warn(
                        "{} cannot be taken up: {}; let this user read and write what is there, and start again; until then"
                                + " what comes of this scope waits in memory",
                        scope,
                        e.toString());
            }
        }
    }

    /** Answers that were given up: no room for them to wait, a scope whose name is too long for a folder, or a scope too many. */
    public long failures() {
        return waiting.dropped();
    }

    private void takeUp(KeptLane lane) throws IOException {
        String scope = lane.scope().orElse("");
        if (scope.isEmpty()) {
            return;
        }
        if (hasLane(scope)) {
            kept.put(scope, lane);
            lane.serve(lanes.ofRequest(scope));
        } else {
            LOG.warn("{} waits for another start: there are as many scopes as one process serves", scope);
        }
    }

    /** False for a scope too many: nothing would draft from what is kept of it. */
    private boolean hasLane(String scope) {
        return lanes.ofRequest(scope).live().followed();
    }

    /** It is in a segment with the next flush, unless it was told lately. */
    public void add(String scope, String requestId, String producer, RememberedAnswer answer, long completedAtMillis) {
        RequestHash request = RequestHash.of(requestId);
        GenerationEntry entry = new GenerationEntry(request.high(), request.low(), producer, completedAtMillis);
        int folderBytes = encode(scope).length();
        if (folderBytes == 0 || folderBytes > LaneId.FOLDER_BYTES_MAX || !hasLane(scope)) {
            waiting.drop();
        } else if (isNew(new Told(scope, request))) {
            waiting.add(scope, new Compaction.Input(entry, answer));
        }
    }

    private boolean isNew(Told answer) {
        synchronized (told) {
            boolean isNew = told.add(answer);
            if (told.size() > FoldLedger.GONE_MAX) {
                told.remove(told.iterator().next());
            }
            return isNew;
        }
    }

    /** What the answers that wait to be written take in memory. */
    long waitingTokens() {
        return waiting.tokens();
    }

    /**
     * Writes what waits.
     *
     * @throws IOException if a lane cannot be written; what it was to hold waits on, and the other lanes are written
     */
    synchronized void flush() throws IOException {
        IOException failed = null;
        for (Map.Entry<String, List<Compaction.Input>> lane : waiting.take().entrySet()) {
            try {
                flush(lane.getKey(), lane.getValue());
            } catch (IOException
                    | RuntimeException
                    | InternalError e) { // the last of a disk that cannot read what is mapped
                IOException ofLane = new IOException("scope %s: %s".formatted(lane.getKey(), e), e);
                if (failed == null) {
                    failed = ofLane;
                } else {
                    failed.addSuppressed(ofLane);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private void flush(String scope, List<Compaction.Input> answers) throws IOException {
        boolean written = false;
        KeptLane lane;
        try {
            lane = kept.get(scope);
            if (lane == null) {
                lane = KeptLane.open(folder.resolve(encode(scope)), lanes.model(), laneTokensMax);
                kept.put(scope, lane);
            }
            lane.add(answers, scope);
            written = true;
        } finally {
            if (!written) {
                waiting.putBack(scope, answers);
            }
        }
        lane.serve(lanes.ofRequest(scope));
    }

    private void flushOrSay() {
        try {
            flush();
        } catch (IOException e) {
            LOG.warn(
                    "answers of {} lanes cannot be kept now, trying again in {} s ({} answers given up so far): {}",
                    1 + e.getSuppressed().length,
                    FLUSH_SECONDS,
                    failures(),
                    e.getMessage(),
                    e.getCause() instanceof IOException ? null : e);
        } catch (Throwable e) { // the top of this thread, which goes on
            LOG.error("answers cannot be kept, trying again in {} s", FLUSH_SECONDS, e);
        }
    }

    private static String name(ServedModel model) {
        return encode(model.model() + "@" + model.revision());
    }

    /** A scope as its folder's name. */
    static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace(".", "%2E");
    }

    /** Writes what waits, and lets the folder go. */
    @Override
    public void close() {
        if (writing.isShutdown()) {
            return;
        }
        flushing.cancel(false);
        writing.execute(this::end);
        writing.shutdown();
        try {
            if (!writing.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("what is being kept takes too long; {} is in use until it is written", folder);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        try (lockFile) {
            flushOrSay();
        } catch (IOException e) {
            LOG.warn("the lock of {} cannot be given back: {}", folder, e.getMessage());
        }
    }
}
