package io.tailrace.local;

import io.tailrace.operators.admission.ModelSpec;
import io.tailrace.operators.store.DurableStoreFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * How the loop in this process is laid out.
 *
 * @param folder everything it writes lies below it
 * @param dashboardPort of Flink's dashboard; 0: any free one
 * @param model the one model of the fleet
 * @param jobArguments further arguments of the index job, as on its command line
 * @param flinkSettings further Flink settings
 * @param storeWrapper put around the job's segment store, to observe it or to make it fail
 */
public record LocalLoopOptions(
        Path folder,
        int dashboardPort,
        ModelSpec model,
        List<String> jobArguments,
        Map<String, String> flinkSettings,
        UnaryOperator<DurableStoreFactory> storeWrapper) {
    public LocalLoopOptions {
        jobArguments = List.copyOf(jobArguments);
        flinkSettings = Map.copyOf(flinkSettings);
    }

    /** Defaults: any free port, nothing added. */
    public static LocalLoopOptions in(Path folder, ModelSpec model) {
        return new LocalLoopOptions(folder, 0, model, List.of(), Map.of(), UnaryOperator.identity());
    }

    public LocalLoopOptions withDashboardPort(int port) {
        return new LocalLoopOptions(folder, port, model, jobArguments, flinkSettings, storeWrapper);
    }

    public LocalLoopOptions withJobArguments(String... arguments) {
        return new LocalLoopOptions(folder, dashboardPort, model, List.of(arguments), flinkSettings, storeWrapper);
    }

    public LocalLoopOptions withStoreWrapper(UnaryOperator<DurableStoreFactory> wrapper) {
        return new LocalLoopOptions(folder, dashboardPort, model, jobArguments, flinkSettings, wrapper);
    }
}
