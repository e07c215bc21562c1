package io.tailrace.operators.state;

import java.util.function.Function;

/** How an object that a task works on is kept. Safe for any number of threads. */
public interface StateForm<T> {
    byte[] encode(T value);

    T decode(byte[] bytes);

    /** Another object of the same content, if a task may change it: a checkpoint may still be writing this one. */
    T copy(T value);

    /** For a class that is made of a record and can write itself down as one. */
    static <T, R> StateForm<T> of(StateCodec<R> codec, Function<R, T> made, Function<T, R> written) {
        return new StateForm<>() {
            @Override
            public byte[] encode(T value) {
                return codec.encode(written.apply(value));
            }

            @Override
            public T decode(byte[] bytes) {
                return made.apply(codec.decode(bytes));
            }

            @Override
            public T copy(T value) {
                return made.apply(written.apply(value));
            }
        };
    }
}
