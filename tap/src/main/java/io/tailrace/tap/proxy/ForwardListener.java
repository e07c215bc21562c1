package io.tailrace.tap.proxy;

/** Hears what was forwarded, on the threads that forward: it must wait for nothing. Safe for any number of threads. */
public interface ForwardListener {
    /** A request was answered, by the server or, where that cannot be reached, by the proxy; its client has the whole answer. */
    void forwarded(int status);

    /** The client went away before it had the whole answer. */
    void clientGone();

    /** The server broke off an answer that had begun. */
    void brokenOff();

    /** A call that may make generations was answered; takes the exchange over. */
    void answered(Exchange exchange);

    /** A call that may make generations was not answered whole, by the server or to the client. */
    void unanswered();
}
