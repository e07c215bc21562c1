package io.tailrace.lab.chaos;

import io.tailrace.local.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The broker of a run, as a process. Each group of clients has a listener of its own, which sends them to the link that they come by. */
final class ChaosBroker {
    /** The words that it says when it takes records. */
    static final String READY = "the broker takes records";

    private ChaosBroker() {}

    static List<String> arguments(Path folder, int port, List<EmbeddedBroker.Listener> listeners) {
        List<String> arguments = new ArrayList<>(List.of(folder.toString(), Integer.toString(port)));
        for (EmbeddedBroker.Listener listener : listeners) {
            arguments.add("%s,%d,%d".formatted(listener.name(), listener.port(), listener.advertisedPort()));
        }
        return arguments;
    }

    public static void main(String[] arguments) throws IOException {
        Locale.setDefault(Locale.ROOT);
        List<EmbeddedBroker.Listener> listeners = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            String[] parts = arguments[i].split(",", -1);
            listeners.add(
                    new EmbeddedBroker.Listener(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
        }
        EmbeddedBroker broker = EmbeddedBroker.start(Path.of(arguments[0]), Integer.parseInt(arguments[1]), listeners);
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
        System.out.println(READY);
    }
}
