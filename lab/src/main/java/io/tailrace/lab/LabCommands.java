package io.tailrace.lab;

import io.tailrace.cli.CommandGroup;
import io.tailrace.lab.demo.DemoCommand;
import io.tailrace.lab.load.LoadCommand;
import io.tailrace.lab.replay.report.ReplayCommand;
import io.tailrace.lab.traffic.TrafficCommand;
import java.util.List;

/** The laboratory's commands. */
public final class LabCommands implements CommandGroup {
    @Override
    public List<Object> commands() {
        return List.of(
                new DemoCommand(), new ReplayCommand(), new LoadCommand(), new TrafficCommand(), new BenchCommand());
    }
}
