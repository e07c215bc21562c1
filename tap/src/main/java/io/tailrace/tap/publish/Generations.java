package io.tailrace.tap.publish;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.TokenIds;
import io.tailrace.tap.answer.AnswerChoice;
import io.tailrace.tap.answer.AskedCall;
import io.tailrace.tap.answer.BodyText;
import io.tailrace.tap.answer.ReadAnswer;
import io.tailrace.tap.answer.UnreadableException;
import io.tailrace.tap.proxy.Exchange;
import io.tailrace.tap.proxy.KeptBody;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Makes generations of exchanges, and says of what it makes none why. One thread. */
public final class Generations {
    private static final int OK = 200;
    /** As records of topic generations may have it. */
    private static final int REQUEST_ID_CHARS_MAX = 200;

    private final PublishOptions options;
    private final Optional<AnswerTokenizer> tokenizer;

    /**
     * For one model.
     *
     * @param tokenizer for answers without token ids; empty: those are not published
     */
    public Generations(PublishOptions options, Optional<AnswerTokenizer> tokenizer) {
        this.options = Objects.requireNonNull(options, "options");
        this.tokenizer = Objects.requireNonNull(tokenizer, "tokenizer");
    }

    /** Takes what comes of an exchange. */
    interface Sink {
        void generation(Generation generation);

        void skipped(SkipReason reason);
    }

    /** Hands each choice to the sink, as a generation or with the reason why it is none. */
    void make(Exchange exchange, Sink sink) {
        try {
            Sources sources = read(exchange);
            for (AnswerChoice choice : sources.answer.choices()) {
                one(sources, choice, sink);
            }
        } catch (UnreadableException e) {
            sink.skipped(SkipReason.UNREADABLE);
        } catch (SkippedException e) {
            sink.skipped(e.reason());
        }
    }

    private record Sources(Exchange exchange, LaneId lane, AskedCall call, ReadAnswer answer) {}

    private Sources read(Exchange exchange) throws UnreadableException, SkippedException {
        if (exchange.status() != OK) {
            throw new SkippedException(SkipReason.FAILED);
        }
        LaneId lane = lane(exchange);
        byte[] asked = body(exchange.request(), exchange.requestEncoding(), SkipReason.REQUEST_TOO_LARGE);
        byte[] said = body(exchange.answer(), exchange.answerEncoding(), SkipReason.ANSWER_TOO_LARGE);
        AskedCall call = AskedCall.read(asked);
        if (call.isPrivate()) {
            throw new SkippedException(SkipReason.PRIVATE);
        }
        ReadAnswer answer = ReadAnswer.read(exchange.contentType(), said);
        if (answer.failed()) {
            throw new SkippedException(SkipReason.FAILED);
        }
        if (answer.choices().isEmpty()) {
            throw new SkippedException(SkipReason.UNREADABLE);
        }
        if (!answer.model().equals(options.engineModel())) {
            throw new SkippedException(SkipReason.OTHER_MODEL);
        }
        return new Sources(exchange, lane, call, answer);
    }

    /** The lane; a header that comes twice names no scope, since one of the two may be the client's. */
    private LaneId lane(Exchange exchange) throws SkippedException {
        List<String> named = options.scope().map(List::of).orElse(exchange.scopeValues());
        if (named.size() != 1) {
            throw new SkippedException(SkipReason.UNKNOWN_SCOPE);
        }
        LaneId lane;
        try {
            lane = new LaneId(options.model(), options.revision(), named.get(0));
        } catch (IllegalArgumentException e) {
            throw new SkippedException(SkipReason.UNKNOWN_SCOPE);
        }
        if (!lane.isStorable()) {
            throw new SkippedException(SkipReason.UNKNOWN_SCOPE);
        }
        return lane;
    }

    private byte[] body(KeptBody kept, String encoding, SkipReason tooLarge)
            throws SkippedException, UnreadableException {
        return switch (kept.state()) {
            case KEPT -> BodyText.of(kept.bytes(), encoding, options.textBytesMax());
            case TOO_LARGE -> throw new SkippedException(tooLarge);
            case NO_ROOM, CLOSED -> throw new SkippedException(SkipReason.NO_ROOM);
        };
    }

    private void one(Sources from, AnswerChoice choice, Sink sink) {
        try {
            sink.generation(generation(from, choice));
        } catch (SkippedException e) {
            sink.skipped(e.reason());
        }
    }

    private Generation generation(Sources from, AnswerChoice choice) throws SkippedException {
        requireEnd(choice);
        AnswerTokenizer.Ids ids = choice.ids() == null ? tokenised(from, choice) : given(from, choice);
        if (ids.response().length == 0) {
            throw new SkippedException(SkipReason.EMPTY);
        }
        boolean prompts = options.prompts() && ids.prompt() != null;
        return Generation.newBuilder()
                .setRequestId(requestId(from.answer, choice))
                .setLane(from.lane.toLane())
                .setProducer(options.name())
                .setPrompt(prompts ? TokenIds.toList(ids.prompt()) : null)
                .setResponse(TokenIds.toList(ids.response()))
                .setStartedAt(Instant.ofEpochMilli(from.exchange.startedAtMillis()))
                .setCompletedAt(Instant.ofEpochMilli(from.exchange.completedAtMillis()))
                .setTemperature(from.call.temperature())
                .build();
    }

    private static void requireEnd(AnswerChoice choice) throws SkippedException {
        if (choice.finishReason() == null || choice.finishReason().equals("abort")) {
            throw new SkippedException(SkipReason.ABORTED);
        }
        if (choice.finishReason().equals("error")) {
            throw new SkippedException(SkipReason.FAILED);
        }
    }

    /** The server's ids, if they are all there: of what it hides while tools are called it may send none, and only its count tells. */
    private static AnswerTokenizer.Ids given(Sources from, AnswerChoice choice) throws SkippedException {
        long counted = from.answer.completionTokens();
        long given = from.answer.choices().stream()
                .mapToLong(each -> each.ids() == null ? 0 : each.ids().length)
                .sum();
        boolean hidden = counted < 0 && (from.call.hasTools() || !choice.textOnly());
        if (!choice.idsWhole() || hidden || (counted >= 0 && counted != given)) {
            throw new SkippedException(SkipReason.INEXACT);
        }
        return new AnswerTokenizer.Ids(choice.promptIds(), choice.ids());
    }

    private AnswerTokenizer.Ids tokenised(Sources from, AnswerChoice choice) throws SkippedException {
        if (tokenizer.isEmpty()) {
            throw new SkippedException(SkipReason.NO_IDS);
        }
        if (from.answer.choices().size() > 1) {
            throw new SkippedException(SkipReason.MANY_CHOICES);
        }
        return tokenizer.get().ids(from.exchange.chat(), from.call, choice, from.answer.completionTokens());
    }

    /** The answer's id, which its client knows and may ask to have forgotten; with several choices their number behind it. */
    private static String requestId(ReadAnswer answer, AnswerChoice choice) {
        String number = answer.choices().size() == 1 ? "" : "/" + choice.index();
        String id = answer.id() + number;
        boolean usable = !answer.id().isBlank() && id.length() <= REQUEST_ID_CHARS_MAX;
        return usable ? id : UUID.randomUUID() + number;
    }
}
