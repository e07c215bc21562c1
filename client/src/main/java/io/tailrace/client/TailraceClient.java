package io.tailrace.client;

import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.draft.FleetDrafts;
import io.tailrace.client.draft.internal.AdaptiveMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.draft.internal.PolicyTerms;
import io.tailrace.client.follow.FollowedLane;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.internal.Brokers;
import io.tailrace.client.follow.internal.Following;
import io.tailrace.client.follow.internal.KeptAnswers;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.client.follow.internal.StoreLook;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands beside a serving engine: it keeps the lanes of one model at the versions that the fleet announces, remembers fresh answers until a
 * version holds them, and reports what was served. An engine never waits for it: brokers that are away cost the fleet's drafts, nothing else.
 * Safe for any number of threads.
 */
public final class TailraceClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TailraceClient.class);

    /** What drafts, as outcomes name it. */
    private static final String STRATEGY = "adaptive";

    private final ClientOptions options;
    private final ServedLanes lanes;
    private final Reporter reporter;
    private final Optional<KeptAnswers> kept;
    private final Optional<Following> following;

    private TailraceClient(
            ClientOptions options,
            ServedLanes lanes,
            Reporter reporter,
            Optional<KeptAnswers> kept,
            Optional<Following> following) {
        this.options = options;
        this.lanes = lanes;
        this.reporter = reporter;
        this.kept = kept;
        this.following = following;
    }

    /**
     * A client that serves what it has; {@link #start} lets it follow announcements.
     *
     * @throws IOException if the spool, the cache or the folder of snapshots cannot be used
     */
    public static TailraceClient open(ClientOptions options) throws IOException {
        return inProcess(options, lanes -> {
            if (options.snapshotFolder().isPresent()) {
                load(options, lanes);
            }
            return options.reporting().isPresent()
                    ? open(
                            options,
                            lanes,
                            options.reporting().get().kafka().brokers(),
                            options.reporting().get().producing().brokers())
                    : new TailraceClient(options, lanes, Reporter.none(), Optional.empty(), Optional.empty());
        });
    }

    /**
     * A client alone that keeps its answers in a folder, and drafts from what an earlier process kept there.
     *
     * @param folder made if it is not there; one process at a time
     * @param laneTokensMax of a lane; above it the oldest segment goes
     * @throws IOException if the folder cannot be used, another process has it, or it holds answers of another tokenizer
     */
    public static TailraceClient keeping(ClientOptions options, Path folder, long laneTokensMax) throws IOException {
        return inProcess(options, lanes -> {
            KeptAnswers kept = KeptAnswers.open(lanes, folder, laneTokensMax);
            return new TailraceClient(options, lanes, Reporter.none(), Optional.of(kept), Optional.empty());
        });
    }

    /**
     * A client of a fleet whose brokers are reached in another way than the options say, as tests do.
     *
     * @throws IOException if the spool or the cache cannot be used
     */
    static TailraceClient open(ClientOptions options, Brokers brokers) throws IOException {
        return inProcess(options, lanes -> open(options, lanes, brokers, brokers));
    }

    /** Makes a client of its lanes. */
    @FunctionalInterface
    private interface Opening {
        TailraceClient open(ServedLanes lanes) throws IOException;
    }

    /** A client whose lanes share what there is of a process's memory; they are closed if it cannot be opened. */
    private static TailraceClient inProcess(ClientOptions options, Opening opening) throws IOException {
        ServedLanes lanes = ServedLanes.ofProcess(options.model(), options.follow(), System.currentTimeMillis());
        boolean opened = false;
        try {
            TailraceClient client = opening.open(lanes);
            opened = true;
            return client;
        } finally {
            if (!opened) {
                lanes.close();
            }
        }
    }

    private static TailraceClient open(ClientOptions options, ServedLanes lanes, Brokers followed, Brokers reported)
            throws IOException {
        Reporter reporter = options.reporting().orElseThrow().reporter(options.name(), reported);
        try {
            Following following =
                    new Following(options.name(), options.workerClass(), lanes, followed, reporter::status);
            return new TailraceClient(options, lanes, reporter, Optional.empty(), Optional.of(following));
        } catch (IOException | RuntimeException e) {
            reporter.close();
            throw e;
        }
    }

    /**
     * The segment files in a folder and its subfolders, as {@link ClientOptions#snapshotFolder} is read.
     *
     * @throws IOException if there is no such folder, or it cannot be read
     */
    public static List<Path> segmentFiles(Path folder) throws IOException {
        return ServedLanes.segmentFiles(folder);
    }

    /**
     * Why the store of {@link io.tailrace.client.follow.FollowOptions#store} does not answer, within 7 s; empty: it does.
     *
     * @throws IllegalArgumentException if a worker reads no store of this kind
     */
    public static Optional<String> unreachableStore(URI store) {
        return StoreLook.unreachable(store);
    }

    private static void load(ClientOptions options, ServedLanes lanes) throws IOException {
        int loaded = lanes.load(options.snapshotFolder().orElseThrow());
        if (loaded == 0) {
            LOG.warn(
                    "there is no segment in {}: until {} is started again with some, it drafts from its own answers",
                    options.snapshotFolder().get(),
                    options.name());
        } else {
            LOG.info(
                    "{} lanes have a snapshot from {}",
                    loaded,
                    options.snapshotFolder().get());
        }
    }

    /** Begins to follow announcements, where there are any. */
    public void start() {
        following.ifPresent(Following::start);
        LOG.info(
                "{} serves {}@{}, vocabulary {}, tokenizer {}",
                options.name(),
                options.model().model(),
                options.model().revision(),
                options.model().vocabularySize(),
                options.model().tokenizerFingerprint());
    }

    public ClientOptions options() {
        return options;
    }

    /**
     * Drafts for one engine's requests, by its lanes' snapshots, fresh answers and policies. A lane's requests learn together.
     *
     * @param requestsMax most requests at once
     * @return for one thread; to be closed before this client
     */
    public FleetDrafts drafts(int requestsMax) {
        return drafts(requestsMax, true);
    }

    /**
     * The same for an engine that verifies trees, or lines only.
     *
     * @param requestsMax most requests at once
     * @param trees false: every draft is a line
     * @return for one thread; to be closed before this client
     */
    public FleetDrafts drafts(int requestsMax, boolean trees) {
        return new LaneDrafts(
                STRATEGY,
                scope -> served(scope).live(),
                new LaneMakers(requestsMax, () -> new AdaptiveMaker(true, trees)));
    }

    /** What a scope's lane says of how much to draft, now and whenever it is asked. */
    public DraftTerms terms(String scope) {
        return new PolicyTerms(served(scope).live(), options.workerClass());
    }

    /** The lanes of all scopes that a request or an announcement has concerned, now. */
    public List<FollowedLane> lanes() {
        return List.copyOf(lanes.all());
    }

    /** The lane of a request's scope; the empty scope is nobody's, and its requests draft from their own context only. */
    public FollowedLane lane(String scope) {
        return served(scope);
    }

    /**
     * Whether a scope's requests share anything: not those of the empty scope, nor of one beyond
     * {@link io.tailrace.client.follow.FollowOptions#lanesMax}.
     */
    public boolean isFollowed(String scope) {
        return served(scope).live().followed();
    }

    private ServedLane served(String scope) {
        return scope.isEmpty() ? lanes.unshared() : lanes.ofRequest(scope);
    }

    /** How each lane is followed, now. */
    public List<LaneState> states() {
        return lanes.states();
    }

    /** Where reports go; it stays this client's. */
    public Reporter reporter() {
        return reporter;
    }

    /** A request was answered: from now on its lane drafts from the answer, and the fleet is told. */
    public void finished(ServedRequest served) {
        remember(served);
        report(served);
    }

    /** From now on the request's lane drafts from its answer. */
    public void remember(ServedRequest served) {
        lane(served.lane().getScope()).finished(served.requestId(), served.answer(), served.completedAtMillis());
    }

    /**
     * What is to be remembered of an answer: of its prompt no more than the scope keeps. Which of its tokens are copied from the prompt is found
     * only where answers are kept: it counts in segments.
     *
     * @param prompt the whole one
     */
    public RememberedAnswer remembered(String scope, int[] prompt, int[] answer) {
        KeptOfPrompts prompts = options.follow().prompts();
        return kept.isPresent() ? prompts.answer(scope, prompt, answer) : prompts.fresh(scope, prompt, answer);
    }

    /**
     * Tells the fleet of an answer, and of what became of its drafts; when it returns, a spool has both. A client that keeps its answers puts it
     * into a segment soon.
     */
    public void report(ServedRequest served) {
        kept.ifPresent(answers -> answers.add(
                served.lane().getScope(),
                served.requestId(),
                served.worker(),
                served.answer(),
                served.completedAtMillis()));
        reporter.generation(served.generation());
        reporter.outcome(served.outcome());
    }

    /** Whether generations are to carry their prompts. */
    public boolean reportsPrompts() {
        return options.reporting().map(ReportingOptions::prompts).orElse(false);
    }

    /** Whether there is a fleet whose announcements are followed. */
    public boolean follows() {
        return following.isPresent();
    }

    /** True once everything that was announced before the start is known; at once where nothing is followed. Serving does not wait for it. */
    public boolean caughtUp() {
        return following.map(Following::caughtUp).orElse(true);
    }

    /** False once it must be started again: it no longer follows, or its reports no longer leave. The log says why. */
    public boolean live() {
        return reporter.live() && following.map(Following::live).orElse(true);
    }

    /** Reports that were given up, and answers that could not be kept. */
    public long reportFailures() {
        return reporter.failures() + kept.map(KeptAnswers::failures).orElse(0L);
    }

    /** Records of topics snapshots, control and admitted that could not be read. */
    public long skippedRecords() {
        return following.map(Following::skippedRecords).orElse(0L);
    }

    /** Stops following, sends what can be sent, unmaps the snapshots. Requests must have ended. */
    @Override
    public void close() {
        try (reporter;
                lanes) {
            kept.ifPresent(KeptAnswers::close);
            following.ifPresent(Following::close);
        }
        LOG.info("{} has stopped", options.name());
    }
}
