package io.tailrace.operators;

import io.tailrace.schemas.UndecodableRecordException;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records of a topic to what they say. What cannot be decoded or breaks a rule is logged with its place and left out. */
public abstract class RecordDecoding<T> implements FlatMapFunction<RawRecord, T> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RecordDecoding.class);

    @Override
    public final void flatMap(RawRecord raw, Collector<T> out) {
        try {
            decode(raw, out);
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            LOG.warn("record at {}-{}@{} ignored: {}", raw.topic(), raw.partition(), raw.offset(), e.getMessage());
        }
    }

    /** Decodes one record; a tombstone has no bytes. */
    protected abstract void decode(RawRecord raw, Collector<T> out) throws UndecodableRecordException;
}
