package io.tailrace.worker.http;

import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A model called letters that takes no request. */
record DeafBackend(TextTokenizer tokenizer) implements Backend {
    @Override
    public String modelName() {
        return "letters";
    }

    @Override
    public Optional<ChatTemplate> chat() {
        return Optional.of(DeafBackend::spell);
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
    public DecodeRequest.Ticket submit(DecodeRequest request, Answer.Sink sink) {
        throw new RefusedRequestException(RefusedRequestException.Reason.STOPPING, "this one answers nobody");
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

    private static String spell(List<ChatTemplate.Message> messages, boolean answerNext) {
        return messages.stream()
                .map(message -> message.role() + " " + message.content())
                .collect(Collectors.joining(" "));
    }
}
