package io.tailrace.suffix.strategy;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a strategy's drafter is made from. A strategy reads what it understands, with its published value as default.
 *
 * @param weights of the mixer, where the strategy has one; empty: those that ship with the product
 * @param parameters by name, values as text
 */
public record StrategySettings(float[] weights, Map<String, String> parameters) {
    public StrategySettings {
        parameters = Map.copyOf(new TreeMap<>(parameters));
    }

    /** Shipped weights and every parameter at its default. */
    public static StrategySettings defaults() {
        return new StrategySettings(new float[0], Map.of());
    }

    /** A number in [min, max]. */
    public double number(String name, double byDefault, double min, double max) {
        String text = parameters.get(name);
        double value = text == null ? byDefault : parsed(name, text);
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException("%s must be in [%s, %s], got %s".formatted(name, min, max, text));
        }
        return value;
    }

    /** A whole number in [min, max]. */
    public int integer(String name, int byDefault, int min, int max) {
        double value = number(name, byDefault, min, max);
        if (value != Math.rint(value)) {
            throw new IllegalArgumentException("%s must be a whole number, got %s".formatted(name, value));
        }
        return (int) value;
    }

    /** A flag: true or false. */
    public boolean flag(String name, boolean byDefault) {
        String text = parameters.getOrDefault(name, Boolean.toString(byDefault));
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("%s must be true or false, got %s".formatted(name, text));
        }
        return Boolean.parseBoolean(text);
    }

    private static double parsed(String name, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s must be a number, got %s".formatted(name, text), e);
        }
    }
}
