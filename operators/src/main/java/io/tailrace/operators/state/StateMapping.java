package io.tailrace.operators.state;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * Java values as Avro's and back. Records, and classes whose state is public fields, are Avro records; arrays of numbers are bytes, big-endian; keys of maps
 * are texts; null needs a union.
 */
final class StateMapping {
    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return type.isRecord() ? new RecordShape(type) : new FieldShape(type);
        }
    };

    private StateMapping() {}

    static Object toAvro(Object value, Schema schema) {
        return switch (schema.getType()) {
            case UNION -> value == null ? null : toAvro(value, branch(schema));
            case RECORD -> toRecord(value, schema);
            case ARRAY ->
                ((Collection<?>) value)
                        .stream()
                                .map(element -> toAvro(element, schema.getElementType()))
                                .toList();
            case MAP -> toMap((Map<?, ?>) value, schema.getValueType());
            case ENUM -> new GenericData.EnumSymbol(schema, ((Enum<?>) value).name());
            case BYTES -> toBytes(value);
            default -> value;
        };
    }

    /** Unions are of null and one other. */
    private static Schema branch(Schema union) {
        Schema first = union.getTypes().get(0);
        return first.getType() == Schema.Type.NULL ? union.getTypes().get(1) : first;
    }

    private static GenericRecord toRecord(Object value, Schema schema) {
        GenericData.Record record = new GenericData.Record(schema);
        Shape shape = SHAPES.get(value.getClass());
        for (Schema.Field field : schema.getFields()) {
            record.put(field.pos(), toAvro(shape.get(value, field.name()), field.schema()));
        }
        return record;
    }

    private static Map<String, Object> toMap(Map<?, ?> map, Schema values) {
        Map<String, Object> texts = new HashMap<>();
        map.forEach((key, value) -> texts.put(key.toString(), toAvro(value, values)));
        return texts;
    }

    private static ByteBuffer toBytes(Object array) {
        int length = Array.getLength(array);
        ByteBuffer bytes = ByteBuffer.allocate(length * width(array.getClass()));
        if (array instanceof int[] ints) {
            bytes.asIntBuffer().put(ints);
        } else if (array instanceof long[] longs) {
            bytes.asLongBuffer().put(longs);
        } else if (array instanceof float[] floats) {
            bytes.asFloatBuffer().put(floats);
        } else if (array instanceof double[] doubles) {
            bytes.asDoubleBuffer().put(doubles);
        } else {
            bytes.put((byte[]) array).flip();
        }
        return bytes;
    }

    private static int width(Class<?> array) {
        Class<?> element = array.getComponentType();
        if (element == byte.class) {
            return Byte.BYTES;
        }
        return element == int.class || element == float.class ? Integer.BYTES : Long.BYTES;
    }

    static Object toJava(Object datum, Type type) {
        if (datum == null) {
            return null;
        }
        if (type instanceof ParameterizedType generic) {
            return toGeneric(datum, generic);
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isArray()) {
            return toArray((ByteBuffer) datum, raw);
        }
        if (raw == String.class) {
            return datum.toString();
        }
        if (raw.isEnum()) {
            return constant(raw, datum.toString());
        }
        return datum instanceof GenericRecord record ? SHAPES.get(raw).make(record) : datum;
    }

    private static Object constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("%s has no %s".formatted(type.getSimpleName(), name)));
    }

    private static Object toGeneric(Object datum, ParameterizedType type) {
        Type[] parts = type.getActualTypeArguments();
        if (datum instanceof Collection<?> elements) {
            List<Object> list = new ArrayList<>(elements.size());
            elements.forEach(element -> list.add(toJava(element, parts[0])));
            return list;
        }
        Map<Object, Object> map = new HashMap<>();
        ((Map<?, ?>) datum).forEach((key, value) -> map.put(key(key.toString(), parts[0]), toJava(value, parts[1])));
        return map;
    }

    private static Object key(String text, Type type) {
        if (type == Integer.class) {
            return Integer.valueOf(text);
        }
        return type == Long.class ? (Object) Long.valueOf(text) : text;
    }

    private static Object toArray(ByteBuffer bytes, Class<?> type) {
        Object array = Array.newInstance(type.getComponentType(), bytes.remaining() / width(type));
        if (array instanceof int[] ints) {
            bytes.asIntBuffer().get(ints);
        } else if (array instanceof long[] longs) {
            bytes.asLongBuffer().get(longs);
        } else if (array instanceof float[] floats) {
            bytes.asFloatBuffer().get(floats);
        } else if (array instanceof double[] doubles) {
            bytes.asDoubleBuffer().get(doubles);
        } else {
            bytes.duplicate().get((byte[]) array);
        }
        return array;
    }

    /** How the parts of one class are read and put together. */
    private interface Shape {
        Object get(Object value, String name);

        Object make(GenericRecord record);
    }

    private static final class RecordShape implements Shape {
        private final RecordComponent[] components;
        private final Map<String, Method> accessors = new HashMap<>();
        private final Constructor<?> constructor;

        private RecordShape(Class<?> type) {
            components = type.getRecordComponents();
            try {
                constructor = type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            } catch (NoSuchMethodException e) {
                throw new AssertionError("a record has its canonical constructor", e);
            }
            constructor.setAccessible(true);
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
                accessors.put(component.getName(), component.getAccessor());
            }
        }

        @Override
        public Object get(Object value, String name) {
            return reflected(() -> accessors.get(name).invoke(value));
        }

        @Override
        public Object make(GenericRecord record) {
            Object[] parts = new Object[components.length];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = toJava(record.get(components[i].getName()), components[i].getGenericType());
            }
            return reflected(() -> constructor.newInstance(parts));
        }
    }

    private static final class FieldShape implements Shape {
        private final Constructor<?> constructor;
        private final Map<String, Field> fields = new HashMap<>();

        private FieldShape(Class<?> type) {
            constructor = reflected(type::getDeclaredConstructor);
            constructor.setAccessible(true);
            for (Field field : type.getFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    fields.put(field.getName(), field);
                }
            }
        }

        @Override
        public Object get(Object value, String name) {
            return reflected(() -> fields.get(name).get(value));
        }

        @Override
        public Object make(GenericRecord record) {
            Object made = reflected(constructor::newInstance);
            fields.forEach((name, field) -> reflected(() -> {
                field.set(made, toJava(record.get(name), field.getGenericType()));
                return made;
            }));
            return made;
        }
    }

    /** A call by reflection. */
    @FunctionalInterface
    private interface Reflected<T> {
        T call() throws ReflectiveOperationException;
    }

    private static <T> T reflected(Reflected<T> call) {
        try {
            return call.call();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("state and its schema do not fit together; rebuild the jar", e);
        }
    }
}
