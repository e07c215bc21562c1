package io.tailrace.worker.http;

import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A model called letters that takes no request. */
record DeafBackend(TextTokenizer tokenizer, Optional<ChatTemplate> chat, RefusedRequestException.Reason reason)
        implements Backend {
    DeafBackend(TextTokenizer tokenizer) {
        this(tokenizer, Optional.of(DeafBackend::spell), RefusedRequestException.Reason.STOPPING);
    }

    @Override
    public String modelName() {
        return "letters";
    }

    @Override
    public int contextTokensMax() {
        return 256;
    }

    @Override
    public int outputTokensMax() {
        return 0;
    }

    @Override
    public int requestsMax() {
        return 72;
    }

    @Override
    public DecodeRequest.Ticket submit(DecodeRequest request, Answer.Sink sink) {
        throw new RefusedRequestException(reason, "this one is deaf and answers nobody");
    }

    @Override
    public void refused(RefusedRequestException.Reason why) {
        // Counts nothing.
    }

    @Override
    public void eventLate() {
        // Answers nobody.
    }

    @Override
    public String scrape() {
        return "";
    }

    @Override
    public boolean live() {
        return true;
    }

    @Override
    public Optional<String> notReady() {
        return Optional.empty();
    }

    static String spell(List<ChatTemplate.Message> messages, boolean answerNext, LocalDateTime now) {
        return messages.stream()
                .map(message -> message.role() + " " + message.content())
                .collect(Collectors.joining(" "));
    }
}
