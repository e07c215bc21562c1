package io.tailrace.worker.serve;

import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.worker.device.DeviceDrafts;
import io.tailrace.worker.device.UploadFolder;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeEngine;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.EngineDrafts;
import io.tailrace.worker.engine.EngineParts;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.http.Backend;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.TextTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
    private final TailraceClient client;
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
        this(options, model, device, ServingWatch.NONE);
    }

    /** The same with somebody who looks on. */
    ServingWorker(ServingWorkerOptions options, LanguageModel model, Optional<DraftDevice> device, ServingWatch watch)
            throws IOException {
        this.options = options;
        this.model = model;
        this.client = TailraceClient.open(options.client());
        this.snapshotWait = new SnapshotWait(
                options, client::lanes, client.follows() ? Optional.of(client::caughtUp) : Optional.empty());
        this.reported = options.reporting().map(reporting -> new ReportedAnswers(options, client.reporter()));
        this.metrics = new WorkerMetrics(
                options.name(),
                client::states,
                client::skippedRecords,
                client.reporter(),
                () -> client.reporter().failures()
                        + reported.map(ReportedAnswers::failures).orElse(0L));
        this.servingMetrics = new ServingMetrics(metrics);
        this.completions = new Completions(client, servingMetrics, watch);
        EngineDrafts onHost = DraftSources.create(
                options.drafts(),
                model.target(),
                scope -> lane(scope).live(),
                options.engine().batchMax());
        this.onDevice = device.isPresent() ? Optional.of(onDevice(device.get(), onHost.source())) : Optional.empty();
        EngineDrafts drafts = onDevice.map(EngineDrafts::of).orElse(onHost);
        this.engine = DecodeEngine.start(options.name(), parts(drafts), options.engine());
        addGauges();
    }

    /** Begins to follow snapshots. */
    public void start() {
        client.start();
    }

    @Override
    public DecodeRequest.Ticket submit(DecodeRequest request, Answer.Sink sink) {
        try {
            if (!lane(request.scope()).live().followed()) {
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
    public void refused(RefusedRequestException.Reason reason) {
        servingMetrics.refused(reason);
    }

    @Override
    public void eventLate() {
        servingMetrics.eventLate();
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
    public int requestsMax() {
        return options.engine().batchMax() + options.engine().queuedMax();
    }

    @Override
    public String scrape() {
        return metrics.scrape();
    }

    @Override
    public boolean live() {
        return !broken() && client.live();
    }

    @Override
    public Optional<String> notReady() {
        if (!live()) {
            return Optional.of("broken, it must be started again; the log says why");
        }
        return stopping ? Optional.of("stops") : snapshotWait.why();
    }

    /** How each lane is followed, now. */
    List<LaneState> lanes() {
        return client.states();
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
        // Each is closed whatever becomes of the others: the client first, the model last.
        try (model;
                metrics;
                client) {
            engine.close();
            reported.ifPresent(ReportedAnswers::close);
            completions.close();
        }
    }

    private ServedLane lane(String scope) {
        return ServedLane.of(client.lane(scope));
    }

    private DeviceDrafts onDevice(DraftDevice device, DraftSource onHost) throws IOException {
        Path scratch = options.follow().cacheFolder().resolve("device-" + options.name());
        return new DeviceDrafts(
                device,
                onHost,
                model.target().inputMemory(),
                this::lane,
                options.model(),
                UploadFolder.emptied(scratch));
    }

    private EngineParts parts(EngineDrafts drafts) {
        BudgetChoice budget = options.drafts().measured() ? BudgetChoice.measured() : BudgetChoice.fixed();
        return new EngineParts(
                model.target(), model.tokenizer(), model.endTokens(), drafts, client::terms, budget, completions);
    }

    private void addGauges() {
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
            servingMetrics.gauge("tailrace.device.lane.bytes", "Bytes of the lanes on the GPU", drafts::laneBytes);
            servingMetrics.gauge(
                    "tailrace.device.without.room",
                    "How often a lane was left without room on the GPU",
                    drafts::withoutRoom);
            servingMetrics.gauge(
                    "tailrace.device.broken",
                    "1 once the GPU has refused to go on and the CPU drafts",
                    () -> drafts.broken() ? 1 : 0);
        });
    }
}
