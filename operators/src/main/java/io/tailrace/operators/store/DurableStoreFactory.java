package io.tailrace.operators.store;

import java.io.IOException;
import java.io.Serializable;

/** Opens the store in the process where an operator runs. Wrap it to observe the store or to make it fail. */
@FunctionalInterface
public interface DurableStoreFactory extends Serializable {
    DurableStore open() throws IOException;
}
