package io.tailrace.operators.barriers;

import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** A function that says something of itself before a checkpoint's barrier passes on. */
@FunctionalInterface
public interface BeforeBarrier {
    /** The barrier has come, and goes on when this returns. There is no current key. */
    void beforeBarrier(SideOutput out);

    /** Where it says it. */
    interface SideOutput {
        <X> void output(OutputTag<X> tag, X value);
    }

    /** Lets a function say what it has to say; most have nothing. */
    static void tell(Object function, Output<?> out) {
        if (function instanceof BeforeBarrier telling) {
            telling.beforeBarrier(new SideOutput() {
                @Override
                public <X> void output(OutputTag<X> tag, X value) {
                    out.collect(tag, new StreamRecord<>(value));
                }
            });
        }
    }
}
