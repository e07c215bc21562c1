package io.tailrace.operators.control;

import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.UndecodableRecordException;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topic control to commands. What is no command is logged with its place and left out. */
public final class ControlDecoding implements FlatMapFunction<RawRecord, ControlCommand> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ControlDecoding.class);

    @Override
    public void flatMap(RawRecord raw, Collector<ControlCommand> out) {
        try {
            out.collect(ControlCommand.decode(raw));
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            LOG.warn(
                    "control record at {}-{}@{} ignored: {}",
                    raw.topic(),
                    raw.partition(),
                    raw.offset(),
                    e.getMessage());
        }
    }
}
