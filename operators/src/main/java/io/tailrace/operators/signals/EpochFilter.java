package io.tailrace.operators.signals;

import io.tailrace.operators.JobEpoch;
import io.tailrace.schemas.SkippedRecords;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out signals of an epoch after this job's own. A later job may have told them, and then this one is about to end; or they are of no job, and
 * what this one tells would be taken for superseded as long as it runs.
 */
public final class EpochFilter extends RichFilterFunction<LaneSignal> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(EpochFilter.class);

    private final JobEpoch epochs;
    private transient long epoch;
    private transient SkippedRecords skipped;

    /** @param epochs under which claim the job writes */
    public EpochFilter(JobEpoch epochs) {
        this.epochs = epochs;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        epoch = epochs.of(getRuntimeContext().getJobInfo());
        skipped = new SkippedRecords();
    }

    @Override
    public boolean filter(LaneSignal signal) {
        if (signal.epoch() <= epoch) {
            return true;
        }
        long untold = skipped.add(System.currentTimeMillis());
        if (untold > 0) {
            LOG.warn(
                    "lane {}: {} of epoch {} is left out, {} since the last such line: this job's epoch is {};"
                            + " if no other job takes over, find out who else writes the topic",
                    signal.lane(),
                    signal.kind(),
                    signal.epoch(),
                    untold,
                    epoch);
        }
        return false;
    }
}
