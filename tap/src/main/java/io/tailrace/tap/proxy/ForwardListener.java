package io.tailrace.tap.proxy;

/** Hears what was forwarded, on the threads that forward: it must wait for nothing. Safe for any number of threads. */
public interface ForwardListener {
    /** How a request ended whose client has not got a whole answer. */
    String CLIENT_GONE = "client_gone";

    /** The same where the server did not end what it had begun. */
    String BROKEN_OFF = "broken_off";

    /**
     * A request is over.
     *
     * @param how the status of an answer that the client has got whole; otherwise {@link #CLIENT_GONE} or {@link #BROKEN_OFF}
     */
    void ended(String how);

    /** It asked for generations; takes the exchange over. */
    void exchanged(Exchange exchange);
}
