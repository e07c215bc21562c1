package io.tailrace.operators.admission;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * A rejection on its way to its topic.
 *
 * @param reason also inside {@code record}; here for metrics
 */
public record RejectedRecord(RejectionReason reason, OutgoingRecord record) {
    /** The side output that carries rejections. */
    public static final OutputTag<RejectedRecord> OUTPUT =
            new OutputTag<>("rejections", TypeInformation.of(RejectedRecord.class));

    public static RejectedRecord of(Rejection rejection) {
        String key = rejection.getTopic() + "-" + rejection.getPartition() + "-" + rejection.getOffset();
        return new RejectedRecord(
                rejection.getReason(), OutgoingRecord.of(key, RecordCodec.REJECTION.encode(rejection)));
    }
}
