package io.tailrace.worker.http;

import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.util.Optional;

/** What the endpoint stands before. Safe for any number of threads. */
public interface Backend {
    /** Name of the one model. */
    String modelName();

    TextTokenizer tokenizer();

    Optional<ChatTemplate> chat();

    /** Most tokens of prompt and answer together. */
    int contextTokensMax();

    /** Longest answer that may be asked for; 0: as there is room for. */
    int outputTokensMax();

    /** Most requests that are answered or wait at once. */
    int requestsMax();

    /**
     * Takes a request.
     *
     * @throws RefusedRequestException if it is not taken
     */
    DecodeRequest.Ticket submit(DecodeRequest request, Answer.Sink sink);

    /** A request was refused before it came here. */
    void refused(RefusedRequestException.Reason reason);

    /** A piece of an answer was not there at its time, where events are spaced: a caller may have seen it. */
    void eventLate();

    /** The metrics' text. */
    String scrape();

    /** False: restart the process. */
    boolean live();

    /** Why it should be sent no requests now; empty: it should. Everybody may read it. */
    Optional<String> notReady();
}
