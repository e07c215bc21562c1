package io.tailrace.suffix.strategy;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The strategies of this process: the product's own, and those found beside it, in the order of their names. Looked for once. */
final class KnownStrategies {
    static final List<Strategy> ALL = found();

    private KnownStrategies() {}

    static Strategy named(String name) {
        return ALL.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("no strategy is named %s; there are %s".formatted(name, names())));
    }

    static String names() {
        return ALL.stream().map(Strategy::name).collect(Collectors.joining(", "));
    }

    private static List<Strategy> found() {
        List<Strategy> all = new ArrayList<>(List.of(Strategy.ADAPTIVE, Strategy.NONE));
        ServiceLoader.load(Strategy.class, Strategy.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .forEach(all::add);
        requireNamedOnce(all);
        return List.copyOf(all);
    }

    private static void requireNamedOnce(List<Strategy> all) {
        for (Strategy strategy : all) {
            if (all.stream()
                            .filter(other -> other.name().equals(strategy.name()))
                            .count()
                    > 1) {
                throw new IllegalStateException(
                        "a strategy's name must be its own, several are named %s, one of them %s; leave one of them out of the class path"
                                .formatted(strategy.name(), strategy.getClass().getName()));
            }
        }
    }
}
