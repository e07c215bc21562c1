package io.tailrace.client.follow.internal;

/** A topic that is not there. */
final class MissingTopicException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingTopicException(String topic) {
        super("topic " + topic
                + " does not exist; create the topics first (tailrace topics create), or check the prefix");
    }
}
