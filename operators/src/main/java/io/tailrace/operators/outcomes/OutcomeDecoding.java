package io.tailrace.operators.outcomes;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SkippedRecords;
import io.tailrace.schemas.StepTime;
import io.tailrace.schemas.UndecodableRecordException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topic outcomes to numbers. What is no outcome is counted and logged with its place: only statistics miss it. */
public final class OutcomeDecoding extends ProcessFunction<RawRecord, RequestOutcome> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeDecoding.class);

    /** Nats a prediction; no probability that a mixer gives costs so many. */
    private static final double LOG_LOSS_MAX = 100;

    private final ModelCatalog models;
    private final BoundTopics topics;
    private transient Counter rejected;
    private transient SkippedRecords skipped;

    /**
     * A decoding of outcomes.
     *
     * @param models of the fleet: outcomes of others are left out, since each lane they name would be state for ever
     * @param topics they come from: outcomes of a scope that their topic may not bring are left out
     */
    public OutcomeDecoding(ModelCatalog models, BoundTopics topics) {
        this.models = models;
        this.topics = topics;
    }

    @Override
    public void open(OpenContext context) {
        skipped = new SkippedRecords();
        rejected = getRuntimeContext().getMetricGroup().counter(MetricNames.OUTCOMES_REJECTED);
    }

    @Override
    public void processElement(RawRecord raw, Context context, Collector<RequestOutcome> out) {
        try {
            Outcome outcome = RecordCodec.OUTCOME.decode(raw.bytes());
            RequestOutcome decoded = decode(outcome);
            checkModel(LaneId.of(outcome.getLane()));
            checkScope(raw.topic(), outcome.getLane().getScope());
            out.collect(decoded);
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            rejected.inc();
            tell(raw, e);
        }
    }

    private void tell(RawRecord raw, Exception why) {
        long untold = skipped.add(System.currentTimeMillis());
        if (untold > 0) {
            LOG.warn(
                    "outcome at {}-{}@{} ignored, {} since the last such line: {}",
                    raw.topic(),
                    raw.partition(),
                    raw.offset(),
                    untold,
                    why.getMessage());
        }
    }

    private void checkScope(String topic, String scope) {
        if (!topics.allows(topic, scope)) {
            throw new IllegalArgumentException(
                    "topic %s may not bring scope %s; start the worker with the --bound-topics of its scope, or change those of the job"
                            .formatted(topic, scope));
        }
    }

    private void checkModel(LaneId lane) {
        if (!models.serves(lane)) {
            throw new IllegalArgumentException(
                    "model %s@%s is not served by this fleet (%s); start the job with it, or correct the worker"
                            .formatted(lane.model(), lane.revision(), models.names()));
        }
    }

    /**
     * What the outcome says in numbers.
     *
     * @throws IllegalArgumentException for names over their limits, which state keeps, and manifests repeat with each point of a curve; for a log-loss
     *     that is none, which means would never forget; for counts that cannot be, which sums would never forget
     */
    static RequestOutcome decode(Outcome outcome) {
        AdmissionOptions.Limits.checkName("workerClass", outcome.getWorkerClass());
        AdmissionOptions.Limits.checkName("worker", outcome.getWorker());
        checkLogLoss(outcome.getLogLoss(), outcome.getPredictions());
        checkCounts(outcome);
        List<LaneOutcome.StepCost> costs = new ArrayList<>();
        for (StepTime time : outcome.getStepTimes()) {
            costs.add(new LaneOutcome.StepCost(
                    outcome.getWorkerClass(),
                    time.getBatch(),
                    time.getVerifiedTokens(),
                    time.getSteps(),
                    time.getMicros()));
        }
        String lane = LaneId.of(outcome.getLane()).toString();
        return new RequestOutcome(
                lane,
                outcome.getWorker(),
                RequestHash.of(outcome.getWorker() + '\n' + outcome.getRequestId())
                        .high(),
                LaneOutcome.Totals.of(outcome),
                costs,
                outcome.getPredictions() > 0
                        ? DriftWatch.Observation.ofLoss(lane, outcome.getLogLoss(), outcome.getPredictions())
                        : null);
    }

    private static void checkCounts(Outcome outcome) {
        int accepted = outcome.getAccepted();
        int drafted = outcome.getDrafted();
        if (outcome.getSteps() < 0 || outcome.getResponseTokens() < 0 || accepted < 0 || accepted > drafted) {
            throw new IllegalArgumentException(
                    "counts are 0 or more and no more tokens are accepted than drafted, got %d steps, %d response tokens, %d of %d accepted"
                            .formatted(outcome.getSteps(), outcome.getResponseTokens(), accepted, drafted));
        }
    }

    private static void checkLogLoss(double nats, long predictions) {
        if (predictions > 0 && !(nats >= 0 && nats <= LOG_LOSS_MAX * predictions)) {
            throw new IllegalArgumentException("logLoss of %d predictions is 0 to %.0f nats, got %s"
                    .formatted(predictions, LOG_LOSS_MAX * predictions, nats));
        }
    }
}
