package io.tailrace.operators;

import io.tailrace.schemas.SkippedRecords;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.TrustedKeys;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of a topic to what they say. What nobody trusted has signed, cannot be decoded or breaks a rule is counted, logged with its place
 * now and then, and left out.
 */
public abstract class RecordDecoding<T> extends RichFlatMapFunction<RawRecord, T> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RecordDecoding.class);

    private final TrustedKeys trusted;
    private transient SkippedRecords skipped;
    private transient Counter counter;

    /** @param trusted who may have signed; {@link TrustedKeys#none} for a topic that is not signed */
    protected RecordDecoding(TrustedKeys trusted) {
        this.trusted = trusted;
    }

    @Override
    public final void open(OpenContext context) {
        skipped = new SkippedRecords();
        counter = getRuntimeContext().getMetricGroup().counter(MetricNames.RECORDS_SKIPPED);
    }

    @Override
    public final void flatMap(RawRecord raw, Collector<T> out) {
        try {
            trusted.check(raw.topic(), raw.key(), raw.value(), raw.signature());
            decode(raw, out);
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            counter.inc();
            long untold = skipped.add(System.currentTimeMillis());
            if (untold > 0) {
                LOG.warn(
                        "record at {}-{}@{} ignored, {} since the last such line: {}",
                        raw.topic(),
                        raw.partition(),
                        raw.offset(),
                        untold,
                        e.getMessage());
            }
        }
    }

    /** How many records were left out. */
    final long skipped() {
        return counter.getCount();
    }

    /** Decodes one record; a tombstone has no bytes. */
    protected abstract void decode(RawRecord raw, Collector<T> out) throws UndecodableRecordException;
}
