package io.tailrace.lab.loop;

import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.load.LoadServingOptions;
import io.tailrace.operators.store.DurableStoreFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * How the loop on this machine is laid out.
 *
 * @param folder everything it writes lies below it
 * @param dashboardPort of Flink's dashboard; 0: any free one
 * @param model the one model of the fleet
 * @param serving how workers serve
 * @param freshFrom whose answers workers draft from before a snapshot holds them
 * @param jobArguments further arguments of the index job, as on its command line
 * @param flinkSettings further Flink settings
 * @param storeWrapper put around the job's segment store, to observe it or to make it fail
 */
public record LocalLoopOptions(
        Path folder,
        int dashboardPort,
        ServedModel model,
        LoadServingOptions serving,
        FreshFrom freshFrom,
        List<String> jobArguments,
        Map<String, String> flinkSettings,
        UnaryOperator<DurableStoreFactory> storeWrapper) {
    public LocalLoopOptions {
        jobArguments = List.copyOf(jobArguments);
        flinkSettings = Map.copyOf(flinkSettings);
    }

    /** Defaults: any port; workers also measure what the own context alone would give. */
    public static LocalLoopOptions in(Path folder, ServedModel model) {
        return new LocalLoopOptions(
                folder,
                0,
                model,
                LoadServingOptions.defaults().withMeasureOwnContext(true),
                FreshFrom.FLEET,
                List.of(),
                Map.of(),
                UnaryOperator.identity());
    }

    public LocalLoopOptions withDashboardPort(int port) {
        return new LocalLoopOptions(folder, port, model, serving, freshFrom, jobArguments, flinkSettings, storeWrapper);
    }

    public LocalLoopOptions withJobArguments(String... arguments) {
        return new LocalLoopOptions(
                folder, dashboardPort, model, serving, freshFrom, List.of(arguments), flinkSettings, storeWrapper);
    }

    public LocalLoopOptions withStoreWrapper(UnaryOperator<DurableStoreFactory> wrapper) {
        return new LocalLoopOptions(
                folder, dashboardPort, model, serving, freshFrom, jobArguments, flinkSettings, wrapper);
    }
}
