package io.tailrace.operators.admission;

import java.io.IOException;
import java.io.Serializable;

/** Which topic stands behind a name now: what tells it from one of the same name in another Kafka, or made anew in the same one. */
@FunctionalInterface
public interface TopicIdentity extends Serializable {
    /** The same as long as offsets mean the same records; never empty. */
    String now(String topic) throws IOException;
}
