package io.tailrace.lab.demo;

import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What a demo does, one thing after the other, and how long each takes. */
final class DemoStages {
    private final PrintWriter out;
    private final long startedAt = System.nanoTime();
    private final List<Stage> stages = new ArrayList<>();

    /** One thing that was done. */
    record Stage(String what, double seconds) {}

    /** Does it. */
    interface Work<T> {
        T run() throws Exception;
    }

    DemoStages(PrintWriter out) {
        this.out = out;
    }

    /** Says what is done, does it, and notes its time. */
    <T> T run(String what, Work<T> work) throws Exception {
        out.println(what + " ...");
        out.flush();
        long from = System.nanoTime();
        T result = work.run();
        stages.add(new Stage(what, (System.nanoTime() - from) / 1e9));
        return result;
    }

    /** Since the first of them began. */
    double seconds() {
        return (System.nanoTime() - startedAt) / 1e9;
    }

    List<Stage> all() {
        return List.copyOf(stages);
    }

    static Table table(List<Stage> stages) {
        Table table = new Table("what took time", "seconds");
        stages.forEach(stage -> table.row(stage.what(), stage.seconds()));
        return table;
    }
}
