package io.tailrace.operators.admission;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.RejectionCounters;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/** Lets generations in by {@link AdmissionRules}; what they refuse goes to {@link RejectedRecord#OUTPUT}. */
public final class Admission extends ProcessFunction<RawRecord, AdmittedGeneration> {
    private static final long serialVersionUID = 1L;

    private final AdmissionRules rules;
    private transient Counter admitted;
    private transient RejectionCounters rejected;

    public Admission(AdmissionOptions options) {
        this.rules = new AdmissionRules(options);
    }

    @Override
    public void open(OpenContext context) {
        admitted = getRuntimeContext().getMetricGroup().counter(MetricNames.ADMITTED);
        rejected = new RejectionCounters(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(RawRecord raw, Context context, Collector<AdmittedGeneration> out) {
        Verdict verdict = rules.judge(raw, context.timerService().currentProcessingTime());
        if (verdict.isAdmitted()) {
            admitted.inc();
            out.collect(verdict.admitted());
        } else {
            rejected.count(verdict.rejection().getReason());
            context.output(RejectedRecord.OUTPUT, RejectedRecord.of(verdict.rejection()));
        }
    }
}
