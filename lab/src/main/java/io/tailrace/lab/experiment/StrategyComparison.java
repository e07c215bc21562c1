package io.tailrace.lab.experiment;

import java.util.List;

/** An experiment that sets strategies side by side, by default the published ones, under short names. */
abstract class StrategyComparison extends ExperimentCommand {
    @Override
    List<String> strategies() {
        return ComparedStrategies.texts();
    }

    @Override
    String note() {
        return ComparedStrategies.legend();
    }

    @Override
    List<Trial> trials(Trials trials) {
        return trials.strategyTrials(ComparedStrategies::label);
    }
}
