package io.tailrace.client.follow;

/** Whose answers a worker drafts from before a snapshot holds them. */
public enum FreshFrom {
    /** Its own, from the moment they are finished, and others', from the moment the job has admitted them. */
    FLEET,
    /** Its own only. */
    OWN
}
