package io.tailrace.tap;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.TokenIds;
import io.tailrace.tap.SkipReason.SkippedException;
import io.tailrace.tap.answer.AskedCall;
import io.tailrace.tap.answer.BodyText;
import io.tailrace.tap.answer.ReadAnswer;
import io.tailrace.tap.answer.ReadAnswer.Choice;
import io.tailrace.tap.answer.UnreadableException;
import io.tailrace.tap.proxy.Exchange;
import io.tailrace.tap.proxy.KeptBody;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Makes generations of exchanges, and says of what it makes none why. One thread. */
final class Generations {
    private static final int OK = 200;
    /** As records of topic generations may have it. */
    private static final int REQUEST_ID_CHARS_MAX = 200;
    /** A slash and a choice's number. */
    private static final int NUMBER_CHARS_MAX = 11;

    /** Lately published; an answer with the id of one among them gets another. */
    private static final int IDS_MAX = 1 << 17;

    private final PublishOptions options;
    private final Set<Known> known = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Known, Boolean> eldest) {
            return size() > IDS_MAX;
        }
    });

    Generations(PublishOptions options) {
        this.options = Objects.requireNonNull(options, "options");
    }

    /** An answer's id counts within its lane: any tenant's server or client may choose the one of another's. */
    private record Known(LaneId lane, String id) {}

    private record Sources(Exchange exchange, LaneId lane, AskedCall call, ReadAnswer answer) {}

    /**
     * Hands each choice on, as a generation or with the reason why it is none.
     *
     * @param skipped hears one reason if there is no choice to speak of
     */
    void make(Exchange exchange, Consumer<Generation> made, Consumer<SkipReason> skipped) {
        try {
            Sources sources = read(exchange);
            AnswerId id = new AnswerId(sources);
            for (Choice choice : sources.answer.choices()) {
                one(sources, id, choice, made, skipped);
            }
        } catch (UnreadableException e) {
            skipped.accept(exchange.whole() ? SkipReason.UNREADABLE : SkipReason.ABORTED);
        } catch (SkippedException e) {
            skipped.accept(e.reason());
        }
    }

    private void one(
            Sources from, AnswerId id, Choice choice, Consumer<Generation> made, Consumer<SkipReason> skipped) {
        Generation generation;
        try {
            generation = generation(from, id, choice);
        } catch (SkippedException e) {
            skipped.accept(e.reason());
            return;
        }
        made.accept(generation);
    }

    private Sources read(Exchange exchange) throws UnreadableException, SkippedException {
        if (exchange.status() != OK) {
            throw new SkippedException(exchange.status() == 0 ? SkipReason.ABORTED : SkipReason.FAILED);
        }
        LaneId lane = exchange.scope()
                .flatMap(options::lane)
                .orElseThrow(() -> new SkippedException(SkipReason.UNKNOWN_SCOPE));
        AskedCall call =
                AskedCall.read(body(exchange.request(), exchange.requestEncoding(), Exchange.REQUEST_BYTES_MAX));
        if (call.isPrivate()) {
            throw new SkippedException(SkipReason.PRIVATE);
        }
        ReadAnswer answer = ReadAnswer.read(
                exchange.contentType(), body(exchange.answer(), exchange.answerEncoding(), Exchange.ANSWER_BYTES_MAX));
        check(answer, exchange.whole());
        return new Sources(exchange, lane, call, answer);
    }

    private void check(ReadAnswer answer, boolean whole) throws SkippedException {
        if (answer.failed()) {
            throw new SkippedException(SkipReason.FAILED);
        }
        if (!answer.ended() && !whole) {
            throw new SkippedException(SkipReason.ABORTED);
        }
        if (answer.choices().isEmpty()) {
            throw new SkippedException(SkipReason.UNREADABLE);
        }
        if (!answer.model().equals(options.model())) {
            throw new SkippedException(SkipReason.OTHER_MODEL);
        }
    }

    /** A body as it was before it was packed; it may then have as many bytes as one that was not. */
    private static byte[] body(KeptBody kept, String encoding, int bytesMax)
            throws SkippedException, UnreadableException {
        return switch (kept.state()) {
            case KEPT -> BodyText.of(kept.bytes(), encoding, bytesMax);
            case TOO_LARGE -> throw new SkippedException(SkipReason.TOO_LARGE);
            case NO_ROOM, CLOSED -> throw new SkippedException(SkipReason.NO_ROOM);
        };
    }

    private Generation generation(Sources from, AnswerId id, Choice choice) throws SkippedException {
        requireEnd(choice);
        AnswerTokenizer.Ids ids = choice.ids() == null ? tokenised(from) : given(from, choice);
        if (ids.response().length == 0) {
            throw new SkippedException(SkipReason.EMPTY);
        }
        boolean prompts = options.prompts() && ids.prompt() != null;
        return Generation.newBuilder()
                .setRequestId(id.of(choice))
                .setLane(from.lane.toLane())
                .setProducer(options.name())
                .setPrompt(prompts ? TokenIds.toList(ids.prompt()) : null)
                .setResponse(TokenIds.toList(ids.response()))
                .setStartedAt(Instant.ofEpochMilli(from.exchange.startedAtMillis()))
                .setCompletedAt(Instant.ofEpochMilli(from.exchange.completedAtMillis()))
                .setTemperature(from.call.temperature())
                .build();
    }

    private static void requireEnd(Choice choice) throws SkippedException {
        if (choice.finishReason() == null || choice.finishReason().equals("abort")) {
            throw new SkippedException(SkipReason.ABORTED);
        }
        if (choice.finishReason().equals("error")) {
            throw new SkippedException(SkipReason.FAILED);
        }
    }

    /** The server's ids, if they are all there: of what it hides while tools are called it may send none, and only its count tells. */
    private static AnswerTokenizer.Ids given(Sources from, Choice choice) throws SkippedException {
        long counted = from.answer.completionTokens();
        long given = from.answer.choices().stream()
                .mapToLong(each -> each.ids() == null ? 0 : each.ids().length)
                .sum();
        boolean guessed = choice.idsWhole() && choice.textOnly() && !from.call.hasTools();
        boolean whole = counted < 0 ? guessed : counted == given;
        if (!whole) {
            throw new SkippedException(SkipReason.INEXACT);
        }
        return new AnswerTokenizer.Ids(choice.promptIds(), choice.ids());
    }

    private AnswerTokenizer.Ids tokenised(Sources from) throws SkippedException {
        if (options.tokenizer().isEmpty()) {
            throw new SkippedException(SkipReason.NO_IDS);
        }
        if (from.answer.choices().size() > 1) {
            throw new SkippedException(SkipReason.MANY_CHOICES);
        }
        return options.tokenizer()
                .get()
                .ids(
                        from.exchange.chat(),
                        from.call,
                        from.answer,
                        Instant.ofEpochMilli(from.exchange.startedAtMillis()));
    }

    /**
     * The answer's id, which its client knows and may ask to have forgotten; with several choices their number goes behind it. The fleet takes
     * an id that comes again for the same answer, and some servers give one again: vLLM that of header {@code X-Request-Id}, others a random number
     * below a thousand. So one under which something was published lately gets a random tail.
     */
    private final class AnswerId {
        private final LaneId lane;
        private final String given;
        private final boolean several;
        private String taken;

        AnswerId(Sources from) {
            lane = from.lane;
            given = from.answer.id();
            several = from.answer.choices().size() > 1;
        }

        String of(Choice choice) {
            if (taken == null) {
                taken = take();
            }
            return several ? taken + "/" + choice.index() : taken;
        }

        private String take() {
            String random = UUID.randomUUID().toString();
            int most = REQUEST_ID_CHARS_MAX - (several ? NUMBER_CHARS_MAX : 0);
            if (given.isBlank() || given.length() > most) {
                return random;
            }
            int kept = Math.min(given.length(), most - 1 - random.length());
            return known.add(new Known(lane, given)) ? given : given.substring(0, kept) + "+" + random;
        }
    }
}
