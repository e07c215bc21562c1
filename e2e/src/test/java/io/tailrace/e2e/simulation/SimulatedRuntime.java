package io.tailrace.e2e.simulation;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.OptionalLong;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;

/** What Flink gives a function beside its records; what no function of the job asks for is refused. */
final class SimulatedRuntime {
    private SimulatedRuntime() {}

    static RuntimeContext context(OperatorState state, JobID job) {
        JobInfo info = new JobInfo() {
            @Override
            public JobID getJobId() {
                return job;
            }

            @Override
            public String getJobName() {
                return "simulated";
            }
        };
        var metrics = UnregisteredMetricsGroup.createOperatorMetricGroup();
        return of(RuntimeContext.class, (method, argument) -> {
            if (argument instanceof ValueStateDescriptor<?> descriptor) {
                return state.value(descriptor.getName());
            } else if (argument instanceof ListStateDescriptor<?> descriptor) {
                return state.list(descriptor.getName(), true);
            } else if (argument instanceof MapStateDescriptor<?, ?> descriptor) {
                return state.map(descriptor.getName());
            }
            return switch (method.getName()) {
                case "getJobInfo" -> info;
                case "getMetricGroup" -> metrics;
                default -> throw new UnsupportedOperationException(method.toString());
            };
        });
    }

    static FunctionInitializationContext initialization(OperatorState state, boolean restored) {
        OperatorStateStore store = of(OperatorStateStore.class, (method, argument) -> {
            if (argument instanceof ListStateDescriptor<?> descriptor) {
                return state.list(descriptor.getName(), false);
            }
            throw new UnsupportedOperationException(method.toString());
        });
        return of(FunctionInitializationContext.class, (method, argument) -> switch (method.getName()) {
            case "isRestored" -> restored;
            case "getRestoredCheckpointId" -> restored ? OptionalLong.of(1) : OptionalLong.empty();
            case "getOperatorStateStore" -> store;
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    static FunctionSnapshotContext snapshot(long id, long triggeredAt) {
        return of(
                FunctionSnapshotContext.class,
                (method, argument) -> method.getName().equals("getCheckpointId") ? id : triggeredAt);
    }

    private interface Answer {
        Object to(Method method, Object argument);
    }

    private static <T> T of(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        answer.to(method, arguments == null || arguments.length == 0 ? null : arguments[0])));
    }
}
