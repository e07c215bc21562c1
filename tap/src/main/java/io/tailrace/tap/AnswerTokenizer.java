package io.tailrace.tap;

import io.tailrace.tap.SkipReason.SkippedException;
import io.tailrace.tap.answer.AskedCall;
import io.tailrace.tap.answer.ReadAnswer;
import io.tailrace.tap.answer.ReadAnswer.Choice;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes token ids of an answer's text, where the server gave none.
 *
 * <p><b>Idea.</b> Ids of a text depend on what stands before it. So prompt and answer are tokenised together, and the prompt alone: the answer's ids are what the first has
 * more than the second. Where the prompt's ids are not the beginning of both, a token spans the seam, and the model has said others. Where the server counts
 * tokens, the counts must agree: of the prompt, and of the answer with or without the token that ends a turn, which has no text.
 *
 * <p>A model may say a text in other tokens than the tokenizer would. The count finds nearly all of that; without one it goes unseen.
 *
 * <p>One thread.
 *
 * @param tokenizer the model's
 * @param template the model's; empty: chats are not tokenised
 * @param endToken what ends a turn; empty: not known, or one of several
 */
public record AnswerTokenizer(TextTokenizer tokenizer, Optional<ChatTemplate> template, Optional<Integer> endToken) {
    private static final char BROKEN = '\ufffd';

    public AnswerTokenizer {
        Objects.requireNonNull(tokenizer, "tokenizer");
        Objects.requireNonNull(template, "template");
        Objects.requireNonNull(endToken, "endToken");
    }

    /** Ids of a prompt, or null, and of what was answered to it. */
    record Ids(int[] prompt, int[] response) {}

    /** Ids of the one choice that an answer has. */
    Ids ids(boolean chat, AskedCall call, ReadAnswer answer) throws SkippedException {
        Choice choice = answer.choices().get(0);
        if (!call.isPlain() || !choice.textOnly() || choice.text().indexOf(BROKEN) >= 0) {
            throw new SkippedException(SkipReason.NOT_TEXT);
        }
        String prompt =
                chat ? rendered(call) : call.prompt().orElseThrow(() -> new SkippedException(SkipReason.NOT_TEXT));
        boolean special = call.addsSpecialTokens(!chat);
        int[] before = tokenizer.encode(prompt, special);
        int[] all = tokenizer.encode(prompt + choice.text(), special);
        boolean counted = answer.promptTokens() < 0 || answer.promptTokens() == before.length;
        if (!counted || all.length < before.length || !Arrays.equals(before, Arrays.copyOf(all, before.length))) {
            throw new SkippedException(SkipReason.INEXACT);
        }
        int[] response = Arrays.copyOfRange(all, before.length, all.length);
        return new Ids(before, ended(response, call, choice, answer.completionTokens()));
    }

    private String rendered(AskedCall call) throws SkippedException {
        ChatTemplate known = template.orElseThrow(() -> new SkippedException(SkipReason.NO_TEMPLATE));
        List<ChatTemplate.Message> messages =
                call.turns().orElseThrow(() -> new SkippedException(SkipReason.NOT_TEXT)).stream()
                        .map(turn -> new ChatTemplate.Message(turn.role(), turn.text()))
                        .toList();
        try {
            return known.render(messages, true);
        } catch (IllegalArgumentException e) {
            throw new SkippedException(SkipReason.NO_TEMPLATE);
        }
    }

    /** The ids with the token that ends the turn, if the model must have said it. */
    private int[] ended(int[] response, AskedCall call, Choice choice, long counted) throws SkippedException {
        boolean stopped = "stop".equals(choice.finishReason());
        boolean byText = stopped && (call.hasStops() || choice.stopReason() != null);
        boolean one = counted == response.length + 1L;
        boolean unknown = counted < 0 && byText;
        boolean wrong = counted >= 0 && counted != response.length && !(stopped && one);
        if (unknown || wrong) {
            throw new SkippedException(SkipReason.INEXACT);
        }
        if (endToken.isEmpty() || !stopped || byText || counted == response.length) {
            return response;
        }
        int[] ended = Arrays.copyOf(response, response.length + 1);
        ended[response.length] = endToken.get();
        return ended;
    }
}
