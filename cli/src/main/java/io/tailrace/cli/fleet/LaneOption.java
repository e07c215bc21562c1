package io.tailrace.cli.fleet;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Of commands that look at one lane. */
final class LaneOption {
    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Option(
            names = "--lane",
            required = true,
            paramLabel = "MODEL@REVISION/SCOPE",
            description = "The lane, as 'tailrace lanes' writes it.")
    private String lane;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    /**
     * Reads what the lane's topics say.
     *
     * @throws BadInputException if nothing was heard of the lane
     */
    LaneView read(Topic... topics) throws IOException {
        JsonFile.check(json);
        try (LoopTopics opened = fleet.topics().get()) {
            FleetView view = fleet.read(opened, topics);
            return view.lane(lane)
                    .orElseThrow(() -> new BadInputException(
                            "nothing was heard of lane %s; 'tailrace lanes' lists those there are".formatted(lane)));
        }
    }

    void write(LaneView view, Function<LaneView, Map<String, Object>> figures) throws IOException {
        JsonFile.write(json, figures.apply(view));
    }
}
