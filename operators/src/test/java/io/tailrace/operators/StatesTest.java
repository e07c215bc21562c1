package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.outcomes.CostState;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.outcomes.RecentOutcomes;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.state.StateCodec;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of state, drawn at random, is read as it was written: schemas and classes fit together. */
final class StatesTest {
    private static final long SEED = 20_261_122L;

    private final Random random = new Random(SEED);

    static Stream<Arguments> states() throws ClassNotFoundException {
        return Stream.of(
                Arguments.of(Class.forName("io.tailrace.operators.publishing.Lane$State"), "Lane"),
                Arguments.of(Class.forName("io.tailrace.operators.evaluation.Replica$State"), "Replica"),
                Arguments.of(DriftDetector.State.class, "Drift"),
                Arguments.of(CostState.class, "Costs"),
                Arguments.of(LaneOutcome.Totals.class, "Verified"),
                Arguments.of(RecentOutcomes.class, "Outcomes"),
                Arguments.of(ShardProgress.Counters.class, "Shard"),
                Arguments.of(Class.forName("io.tailrace.operators.indexing.DuplicateHorizon$Chunk"), "Hashes"),
                Arguments.of(AdmittedGeneration.class, "Generation"),
                Arguments.of(ControlCommand.class, "Delete"),
                Arguments.of(LaneSignal.class, "Signal"));
    }

    @ParameterizedTest
    @MethodSource("states")
    void randomStatesAreReadAsTheyWereWritten(Class<?> type, String name) throws Exception {
        check(type, name);
    }

    private <T> void check(Class<T> type, String name) throws Exception {
        StateCodec<T> codec = new StateCodec<>(type, name);
        for (int i = 0; i < 50; i++) {
            T drawn = type.cast(draw(type));
            assertThat(codec.decode(codec.encode(drawn)))
                    .as("%s %d of seed %d", name, i, SEED)
                    .usingRecursiveComparison()
                    .isEqualTo(drawn);
        }
    }

    private Object draw(Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class ? list(generic) : map(generic);
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isArray()) {
            Object array = Array.newInstance(raw.getComponentType(), random.nextInt(4));
            for (int i = 0; i < Array.getLength(array); i++) {
                Array.set(array, i, draw(raw.getComponentType()));
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
            list.add(draw(type.getActualTypeArguments()[0]));
        }
        return list;
    }

    private Object map(ParameterizedType type) throws ReflectiveOperationException {
        Map<Object, Object> map = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            map.put(draw(type.getActualTypeArguments()[0]), draw(type.getActualTypeArguments()[1]));
        }
        return map;
    }

    private Object drawRecord(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] parts = new Object[components.length];
        for (int i = 0; i < parts.length; i++) {
            boolean absent = isOptional(components[i].getName()) && random.nextInt(3) == 0;
            parts[i] = absent ? null : draw(components[i].getGenericType());
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
        Object drawn = constructor.newInstance();
        for (Field field : type.getFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                field.set(drawn, draw(field.getGenericType()));
            }
        }
        return drawn;
    }
}
