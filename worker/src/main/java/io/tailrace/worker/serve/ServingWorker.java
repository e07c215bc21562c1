package io.tailrace.worker.serve;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.FixedBudget;
import io.tailrace.client.budget.MeasuredBudget;
import io.tailrace.client.budget.StepCosts;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.PolicyTerms;
import io.tailrace.client.follow.FollowedLanes;
import io.tailrace.client.follow.SnapshotFolder;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.spool.Spool;
import io.tailrace.client.spool.SpooledReporter;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.worker.device.DeviceDrafts;
import io.tailrace.worker.device.UploadFolder;
import io.tailrace.worker.engine.AnswerSink;
import io.tailrace.worker.engine.DecodeEngine;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.EngineDrafts;
import io.tailrace.worker.engine.EngineParts;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.engine.Ticket;
import io.tailrace.worker.http.Backend;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.TextTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that answers with a real model. It drafts from its own answers from the moment they finish, and from the fleet's as
 * snapshots come; brokers that are away cost it nothing but those. Any number of threads may submit.
 */
public final class ServingWorker implements Backend, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServingWorker.class);

    private final ServingWorkerOptions options;
    private final LanguageModel model;
    private final FollowedLanes lanes;
    private final Reporter reporter;
    private final Optional<Following> following;
    private final SnapshotWait snapshotWait;
    private final WorkerMetrics metrics;
    private final ServingMetrics servingMetrics;
    private final Completions completions;
    private final Optional<ReportedAnswers> reported;
    private final Optional<DeviceDrafts> onDevice;
    private final DecodeEngine engine;
    private volatile boolean stopping;

    /**
     * A worker that decodes from now on; {@link #start} lets it follow snapshots.
     *
     * @param model taken over
     * @throws IOException if the spool, the cache or the folder of snapshots cannot be used
     */
    public ServingWorker(ServingWorkerOptions options, LanguageModel model) throws IOException {
        this(options, model, Optional.empty());
    }

    /**
     * A worker that drafts on a device.
     *
     * @param model taken over
     * @param device taken over; empty: the host drafts
     * @throws IOException if the spool, the cache or the folder of snapshots cannot be used
     */
    public ServingWorker(ServingWorkerOptions options, LanguageModel model, Optional<DraftDevice> device)
            throws IOException {
        this.options = options;
        this.model = model;
        this.lanes = new FollowedLanes(options.model(), options.follow(), System.currentTimeMillis());
        Optional<Spool> spool = openSpool(options);
        this.reporter = spool.<Reporter>map(opened -> reporter(options, opened)).orElseGet(NoReporter::new);
        this.following = options.reporting().isPresent()
                ? Optional.of(new Following(options, options.reporting().get().kafka(), lanes, reporter))
                : Optional.empty();
        this.snapshotWait = new SnapshotWait(options, lanes, following.map(each -> each::caughtUp));
        this.reported = options.reporting().map(reporting -> new ReportedAnswers(options, reporter));
        this.metrics = new WorkerMetrics(
                options.name(),
                lanes::all,
                () -> reporter.failures()
                        + reported.map(ReportedAnswers::failures).orElse(0L),
                () -> following.map(Following::skippedRecords).orElse(0L));
        this.servingMetrics = new ServingMetrics(metrics);
        this.completions = new Completions(options, lanes, servingMetrics);
        if (options.snapshotFolder().isPresent()) {
            loadFolder(options.snapshotFolder().get());
        }
        EngineDrafts onHost = DraftSources.create(
                options.drafts(),
                model.target(),
                scope -> lanes.ofRequest(scope).live(),
                options.engine().batchMax());
        this.onDevice = device.isPresent() ? Optional.of(onDevice(device.get(), onHost.source())) : Optional.empty();
        EngineDrafts drafts = onDevice.map(EngineDrafts::of).orElse(onHost);
        this.engine = DecodeEngine.start(options.name(), parts(drafts), options.engine());
        addGauges(spool);
    }

    /** Begins to follow snapshots. */
    public void start() {
        following.ifPresent(Following::start);
        LOG.info(
                "worker {} serves {}@{}, vocabulary {}, tokenizer {}",
                options.name(),
                options.model().model(),
                options.model().revision(),
                options.model().vocabularySize(),
                options.model().tokenizerFingerprint());
    }

    @Override
    public Ticket submit(DecodeRequest request, AnswerSink sink) {
        try {
            if (!lanes.ofRequest(request.scope()).live().followed()) {
                servingMetrics.unshared();
            }
            return engine.submit(
                    request, reported.map(answers -> answers.before(sink)).orElse(sink));
        } catch (RefusedRequestException e) {
            servingMetrics.refused(e.reason());
            throw e;
        } catch (IllegalArgumentException e) {
            servingMetrics.refused(RefusedRequestException.Reason.INVALID);
            throw new RefusedRequestException(RefusedRequestException.Reason.INVALID, e.getMessage());
        }
    }

    @Override
    public String modelName() {
        return options.model().model();
    }

    @Override
    public TextTokenizer tokenizer() {
        return model.tokenizer();
    }

    @Override
    public Optional<ChatTemplate> chat() {
        return model.chat();
    }

    @Override
    public int contextTokensMax() {
        return model.target().sequenceTokensMax();
    }

    @Override
    public int outputTokensMax() {
        return options.engine().outputTokensMax();
    }

    @Override
    public String scrape() {
        return metrics.scrape();
    }

    @Override
    public boolean live() {
        return !broken() && reporter.live() && following.map(Following::live).orElse(true);
    }

    @Override
    public Optional<String> notReady() {
        if (!live()) {
            return Optional.of("broken, it must be started again; the log says why");
        }
        return stopping ? Optional.of("stops") : snapshotWait.why();
    }

    /** Whether the decode thread has ended before its time, or the process has lost its GPU. */
    boolean broken() {
        return engine.failure() != null || onDevice.map(DeviceDrafts::lost).orElse(false);
    }

    /**
     * Takes no further requests and waits until those taken are answered. Those that are not by then are cancelled, and their
     * clients told so; false if there were any.
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        stopping = true;
        engine.stop();
        boolean answered = engine.awaitEnd(atMost);
        if (!answered) {
            LOG.warn("{} requests are cut short after {} s", engine.running() + engine.queued(), atMost.toSeconds());
            engine.close();
        }
        return answered;
    }

    /** Cancels what is not answered, reports what is, sends what can be sent, frees the model. */
    @Override
    public void close() {
        // Each is closed whatever becomes of the others: the reporter first, the model last.
        try (model;
                metrics;
                reporter) {
            engine.close();
            reported.ifPresent(ReportedAnswers::close);
            completions.close();
            following.ifPresent(Following::close);
        }
        LOG.info("worker {} has stopped", options.name());
    }

    private void loadFolder(Path folder) throws IOException {
        int loaded = new SnapshotFolder(options.model(), folder).loadInto(lanes, System.currentTimeMillis());
        if (loaded == 0) {
            LOG.warn(
                    "there is no segment in {}: until the worker is started again with some, it drafts from its own answers",
                    folder);
        } else {
            LOG.info("{} lanes have a snapshot from {}", loaded, folder);
        }
    }

    private DeviceDrafts onDevice(DraftDevice device, DraftSource onHost) throws IOException {
        Path scratch = options.follow().cacheFolder().resolve("device-" + options.name());
        return new DeviceDrafts(
                device,
                onHost,
                model.target().inputMemory(),
                lanes::ofRequest,
                options.model(),
                UploadFolder.emptied(scratch));
    }

    private EngineParts parts(EngineDrafts drafts) {
        BudgetChoice budget = options.drafts().measured() ? new MeasuredBudget(new StepCosts()) : new FixedBudget();
        return new EngineParts(
                model.target(),
                model.tokenizer(),
                model.endTokens(),
                drafts,
                scope -> new PolicyTerms(lanes.ofRequest(scope).live(), options.workerClass()),
                budget,
                completions);
    }

    private void addGauges(Optional<Spool> spool) {
        servingMetrics.gauge("tailrace.requests.queued", "Requests that wait", engine::queued);
        servingMetrics.gauge("tailrace.requests.running", "Requests in the batch", engine::running);
        onDevice.ifPresent(drafts -> {
            servingMetrics.gauge(
                    "tailrace.device.fall.backs", "Requests of the GPU's that went on on the CPU", drafts::fallBacks);
            servingMetrics.gauge(
                    "tailrace.device.copied.rows",
                    "Rows of logits that the GPU could not read in place",
                    drafts::copiedRows);
            servingMetrics.gauge(
                    "tailrace.device.uploads.failed",
                    "Snapshots that did not reach the GPU; each is tried again",
                    drafts::failedUploads);
            servingMetrics.gauge(
                    "tailrace.device.lane.bytes", "Bytes of the lanes' segments on the GPU", drafts::laneBytes);
            servingMetrics.gauge(
                    "tailrace.device.without.room",
                    "How often a lane was left without room on the GPU",
                    drafts::withoutRoom);
            servingMetrics.gauge(
                    "tailrace.device.broken",
                    "1 once the GPU has refused to go on and the CPU drafts",
                    () -> drafts.broken() ? 1 : 0);
        });
        spool.ifPresent(files -> {
            servingMetrics.gauge(
                    "tailrace.spool.records", "Reports that Kafka does not have yet", files::pendingRecords);
            servingMetrics.gauge("tailrace.spool.bytes", "Bytes of the spool", files::bytes);
            servingMetrics.gauge(
                    "tailrace.spool.dropped", "Reports dropped to keep the spool's bound", files::droppedRecords);
            servingMetrics.gauge("tailrace.spool.lost.bytes", "Damaged bytes cut off the spool", files::lostBytes);
        });
    }

    private static Optional<Spool> openSpool(ServingWorkerOptions options) throws IOException {
        if (options.reporting().isEmpty()) {
            return Optional.empty();
        }
        ReportingOptions reporting = options.reporting().get();
        return Optional.of(Spool.open(reporting.spool(), reporting.spoolBytesMax()));
    }

    private static Reporter reporter(ServingWorkerOptions options, Spool spool) {
        ReportingOptions reporting = options.reporting().orElseThrow();
        return new SpooledReporter(
                options.name(),
                spool,
                reporting.producing().newProducer(options.name() + "-reports"),
                reporting.kafka().topicPrefix(),
                reporting.drainTimeMax());
    }
}
