package io.tailrace.e2e.simulation;

import io.tailrace.operators.state.StateCell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** What Flink holds of one operator: keyed, broadcast and list state and timers, in maps. A copy of it is a checkpoint: it goes through bytes. */
final class OperatorState {
    /** By the state's name and the key; of list state under no key. */
    private final Map<String, Map<Object, Object>> content = new TreeMap<>();

    private final TreeMap<Long, List<Object>> timers = new TreeMap<>();
    private Object key;

    OperatorState copy() {
        OperatorState copy = new OperatorState();
        content.forEach((name, byKey) -> {
            Map<Object, Object> copied = new LinkedHashMap<>();
            byKey.forEach((of, value) -> copied.put(of, copy(value)));
            copy.content.put(name, copied);
        });
        timers.forEach((at, keys) -> copy.timers.put(at, new ArrayList<>(keys)));
        return copy;
    }

    private static Object copy(Object value) {
        if (value instanceof List<?> list) {
            List<Object> copies = new ArrayList<>();
            list.forEach(element -> copies.add(copy(element)));
            return copies;
        } else if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copies = new LinkedHashMap<>();
            map.forEach((of, element) -> copies.put(of, copy(element)));
            return copies;
        }
        return value instanceof StateCell<?> cell ? throughBytes(cell) : value;
    }

    private static <T> StateCell<T> throughBytes(StateCell<T> cell) {
        try {
            TypeSerializer<StateCell<T>> serializer = StateCell.serializer();
            DataOutputSerializer out = new DataOutputSerializer(256);
            serializer.serialize(cell, out);
            return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void setKey(Object current) {
        key = current;
    }

    Object key() {
        return key;
    }

    /** All keys that have some of this state. */
    List<Object> keys(String name) {
        return new ArrayList<>(content.getOrDefault(name, Map.of()).keySet());
    }

    Map<Object, Object> of(String name) {
        return content.computeIfAbsent(name, any -> new LinkedHashMap<>());
    }

    record Timer(Object key, long at) {}

    void setTimer(long at) {
        List<Object> keys = timers.computeIfAbsent(at, any -> new ArrayList<>());
        if (!keys.contains(key)) {
            keys.add(key);
        }
    }

    /** Takes all that are set, the first first. */
    List<Timer> takeTimers() {
        List<Timer> taken = new ArrayList<>();
        while (!timers.isEmpty()) {
            long at = takeTimer();
            taken.add(new Timer(key, at));
        }
        return taken;
    }

    /** The first timer's time; {@link Long#MAX_VALUE}: there is none. */
    long nextTimer() {
        return timers.isEmpty() ? Long.MAX_VALUE : timers.firstKey();
    }

    /** Takes the first timer, and makes its key the current one. */
    long takeTimer() {
        Map.Entry<Long, List<Object>> first = timers.firstEntry();
        key = first.getValue().remove(0);
        if (first.getValue().isEmpty()) {
            timers.remove(first.getKey());
        }
        return first.getKey();
    }

    <T> ValueState<T> value(String name) {
        return new ValueState<>() {
            @Override
            @SuppressWarnings("unchecked")
            public T value() {
                return (T) of(name).get(key);
            }

            @Override
            public void update(T value) {
                of(name).put(key, value);
            }

            @Override
            public void clear() {
                of(name).remove(key);
            }
        };
    }

    /** Keyed if a key is set when it is used. */
    <T> ListState<T> list(String name, boolean keyed) {
        return new ListState<>() {
            private Object place() {
                return keyed ? key : "";
            }

            @SuppressWarnings("unchecked")
            private List<T> elements() {
                return (List<T>) of(name).computeIfAbsent(place(), any -> new ArrayList<>());
            }

            @Override
            public Iterable<T> get() {
                return new ArrayList<>(elements());
            }

            @Override
            public void add(T value) {
                elements().add(value);
            }

            @Override
            public void update(List<T> values) {
                of(name).put(place(), new ArrayList<>(values));
            }

            @Override
            public void addAll(List<T> values) {
                elements().addAll(values);
            }

            @Override
            public void clear() {
                of(name).remove(place());
            }
        };
    }

    <K, V> MapState<K, V> map(String name) {
        return new MapState<>() {
            @SuppressWarnings("unchecked")
            private Map<K, V> entriesOfKey() {
                return (Map<K, V>) of(name).computeIfAbsent(key, any -> new LinkedHashMap<>());
            }

            @Override
            public V get(K of) {
                return entriesOfKey().get(of);
            }

            @Override
            public void put(K of, V value) {
                entriesOfKey().put(of, value);
            }

            @Override
            public void putAll(Map<K, V> values) {
                entriesOfKey().putAll(values);
            }

            @Override
            public void remove(K of) {
                entriesOfKey().remove(of);
            }

            @Override
            public boolean contains(K of) {
                return entriesOfKey().containsKey(of);
            }

            @Override
            public Iterable<Map.Entry<K, V>> entries() {
                return new HashMap<>(entriesOfKey()).entrySet();
            }

            @Override
            public Iterable<K> keys() {
                return new ArrayList<>(entriesOfKey().keySet());
            }

            @Override
            public Iterable<V> values() {
                return new ArrayList<>(entriesOfKey().values());
            }

            @Override
            public java.util.Iterator<Map.Entry<K, V>> iterator() {
                return entries().iterator();
            }

            @Override
            public boolean isEmpty() {
                return entriesOfKey().isEmpty();
            }

            @Override
            public void clear() {
                of(name).remove(key);
            }
        };
    }

    <K, V> BroadcastState<K, V> broadcast(String name) {
        return new BroadcastState<>() {
            @SuppressWarnings("unchecked")
            private Map<K, V> all() {
                return (Map<K, V>) of(name);
            }

            @Override
            public void put(K of, V value) {
                all().put(of, value);
            }

            @Override
            public void putAll(Map<K, V> values) {
                all().putAll(values);
            }

            @Override
            public void remove(K of) {
                all().remove(of);
            }

            @Override
            public java.util.Iterator<Map.Entry<K, V>> iterator() {
                return entries().iterator();
            }

            @Override
            public Iterable<Map.Entry<K, V>> entries() {
                return new LinkedHashMap<>(all()).entrySet();
            }

            @Override
            public Iterable<Map.Entry<K, V>> immutableEntries() {
                return entries();
            }

            @Override
            public V get(K of) {
                return all().get(of);
            }

            @Override
            public boolean contains(K of) {
                return all().containsKey(of);
            }

            @Override
            public void clear() {
                all().clear();
            }
        };
    }
}
