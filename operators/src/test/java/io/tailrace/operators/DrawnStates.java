package io.tailrace.operators;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.outcomes.CostState;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.outcomes.RecentOutcomes;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.suffix.learn.DriftDetector;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Every kind of state that the job keeps, and values of it drawn at random. */
public final class DrawnStates {
    private final Random random;

    public DrawnStates(long seed) {
        this.random = new Random(seed);
    }

    /** Its class by the name of its schema. */
    public static Map<String, Class<?>> kinds() {
        Map<String, Class<?>> kinds = new LinkedHashMap<>();
        kinds.put("Lane", named("publishing.Lane$State"));
        kinds.put("Replica", named("evaluation.Replica$State"));
        kinds.put("Drift", DriftDetector.State.class);
        kinds.put("Costs", CostState.class);
        kinds.put("Verified", LaneOutcome.Totals.class);
        kinds.put("Outcomes", RecentOutcomes.class);
        kinds.put("Shard", ShardProgress.Counters.class);
        kinds.put("Hashes", named("intake.DuplicateHorizon$Chunk"));
        kinds.put("Delete", ControlCommand.class);
        kinds.put("Signal", LaneSignal.class);
        return kinds;
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName("io.tailrace.operators." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** A value of a kind. */
    public <T> T draw(Class<T> kind) {
        try {
            return kind.cast(drawn(kind));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a state cannot be drawn", e);
        }
    }

    private Object drawn(Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class ? list(generic) : map(generic);
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isArray()) {
            Object array = Array.newInstance(raw.getComponentType(), random.nextInt(4));
            for (int i = 0; i < Array.getLength(array); i++) {
                Array.set(array, i, drawn(raw.getComponentType()));
            }
            return array;
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
        }
        Object simple = simple(raw);
        return simple != null ? simple : raw.isRecord() ? drawRecord(raw) : drawFields(raw);
    }

    private Object simple(Class<?> type) {
        if (type == long.class || type == Long.class) {
            return random.nextLong();
        } else if (type == int.class || type == Integer.class) {
            return random.nextInt();
        } else if (type == byte.class) {
            return (byte) random.nextInt();
        } else if (type == double.class) {
            return random.nextGaussian();
        } else if (type == float.class) {
            return random.nextFloat();
        } else if (type == boolean.class) {
            return random.nextBoolean();
        }
        return type == String.class ? Long.toString(random.nextLong(), 36) : null;
    }

    private Object list(ParameterizedType type) throws ReflectiveOperationException {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            list.add(drawn(type.getActualTypeArguments()[0]));
        }
        return list;
    }

    private Object map(ParameterizedType type) throws ReflectiveOperationException {
        Map<Object, Object> map = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            map.put(drawn(type.getActualTypeArguments()[0]), drawn(type.getActualTypeArguments()[1]));
        }
        return map;
    }

    private Object drawRecord(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] parts = new Object[components.length];
        for (int i = 0; i < parts.length; i++) {
            boolean absent = isOptional(components[i].getName()) && random.nextInt(3) == 0;
            parts[i] = absent ? null : drawn(components[i].getGenericType());
        }
        Constructor<?> constructor = type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        return constructor.newInstance(parts);
    }

    private static boolean isOptional(String name) {
        return List.of("newest", "due", "drift", "remaining", "rolledBackBy").contains(name);
    }

    private Object drawFields(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object made = constructor.newInstance();
        for (Field field : type.getFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                field.set(made, drawn(field.getGenericType()));
            }
        }
        return made;
    }
}
