package io.tailrace.lab.demo;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.recorded.RecordedRequest;
import java.util.Iterator;

/** What the demo serves: checked before anything is started. */
interface DemoWorkload extends AutoCloseable {
    /** In a few words, for people. */
    String describe();

    /** The model that the answers come from. */
    ServedModel model();

    /** How many requests there are to serve. */
    long requests();

    /** Lines of the input that cannot be served. */
    long badLines();

    /** The requests in the order of their arrival; to be asked for once. */
    Iterator<RecordedRequest> iterator();

    @Override
    void close();
}
