package io.tailrace.operators.admission;

import java.io.IOException;
import java.io.Serializable;

/** Which topic generations are read from: not its name, but what tells it from one of the same name in another Kafka, or made anew in the same one. */
@FunctionalInterface
public interface TopicIdentity extends Serializable {
    /** The same as long as offsets mean the same records; never empty. */
    String now() throws IOException;
}
