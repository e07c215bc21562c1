package io.tailrace.tap;

import io.tailrace.tap.SkipReason.SkippedException;
import io.tailrace.tap.answer.AskedCall;
import io.tailrace.tap.answer.ReadAnswer;
import io.tailrace.tap.answer.ReadAnswer.Choice;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
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
 * <p>Where a stop text may have ended the answer, what is left of it may end within a token that the model said, and the count can agree all the same. So the last word
 * is left out, and what the tokenizer joins to it: in usual tokenizers no token before a space depends on what comes behind it.
 *
 * <p>One thread.
 *
 * @param tokenizer the model's
 * @param template the model's; empty: chats are not tokenised
 * @param endToken what ends a turn; empty: not known, or one of several
 */
public record AnswerTokenizer(TextTokenizer tokenizer, Optional<ChatTemplate> template, Optional<Integer> endToken) {
    /** Beyond what any model takes. Tokenizers need many bytes a character. */
    static final int CHARS_MAX = 4 << 20;

    private static final char BROKEN = '\ufffd';

    public AnswerTokenizer {
        Objects.requireNonNull(tokenizer, "tokenizer");
        Objects.requireNonNull(template, "template");
        Objects.requireNonNull(endToken, "endToken");
    }

    /** Ids of a prompt, or null, and of what was answered to it. */
    record Ids(int[] prompt, int[] response) {}

    /**
     * Ids of the one choice that an answer has.
     *
     * @param asked when; some templates write the date into a chat's prompt, as it is by the engine's clock and time zone: this host's must be the same
     */
    Ids ids(boolean chat, AskedCall call, ReadAnswer answer, Instant asked) throws SkippedException {
        Choice choice = answer.choices().get(0);
        if (!call.isPlain() || !choice.textOnly() || choice.text().indexOf(BROKEN) >= 0) {
            throw new SkippedException(SkipReason.NOT_TEXT);
        }
        String prompt = chat
                ? rendered(call, asked)
                : call.prompt().orElseThrow(() -> new SkippedException(SkipReason.NOT_TEXT));
        if ((long) prompt.length() + choice.text().length() > CHARS_MAX) {
            throw new SkippedException(SkipReason.TOO_LARGE);
        }
        boolean special = call.addsSpecialTokens(!chat);
        int[] before = tokenizer.encode(prompt, special);
        int[] all = tokenizer.encode(prompt + choice.text(), special);
        boolean counted = answer.promptTokens() < 0 || answer.promptTokens() == before.length;
        if (!counted || all.length < before.length || !Arrays.equals(before, Arrays.copyOf(all, before.length))) {
            throw new SkippedException(SkipReason.INEXACT);
        }
        int[] response = Arrays.copyOfRange(all, before.length, all.length);
        int[] ended = ended(response, call, choice, answer.completionTokens());
        return new Ids(
                before,
                byText(call, choice)
                        ? certain(all, before.length, prompt + withoutLastWord(choice.text()), special)
                        : ended);
    }

    /** Ids of an answer that it has whether or not there is more of it than its first words. */
    private int[] certain(int[] all, int begin, String firstWords, boolean special) throws SkippedException {
        int[] some = tokenizer.encode(firstWords, special);
        int differs = Arrays.mismatch(all, some);
        int end = differs < 0 ? all.length : differs;
        if (end <= begin) {
            throw new SkippedException(SkipReason.INEXACT);
        }
        return Arrays.copyOfRange(all, begin, end);
    }

    /** To the last white space that has something before it; nothing, if there is none. */
    private static String withoutLastWord(String text) {
        int end = text.length() - 1;
        while (end > 0
                && !(Character.isWhitespace(text.charAt(end)) && !Character.isWhitespace(text.charAt(end - 1)))) {
            end--;
        }
        return text.substring(0, Math.max(end, 0));
    }

    /** Whether a text may have ended the answer that was then left out of it. */
    private static boolean byText(AskedCall call, Choice choice) {
        return "stop".equals(choice.finishReason()) && (call.hasStops() || choice.stopReason() != null);
    }

    private String rendered(AskedCall call, Instant asked) throws SkippedException {
        ChatTemplate known = template.orElseThrow(() -> new SkippedException(SkipReason.NO_TEMPLATE));
        List<ChatTemplate.Message> messages =
                call.turns().orElseThrow(() -> new SkippedException(SkipReason.NOT_TEXT)).stream()
                        .map(turn -> new ChatTemplate.Message(turn.role(), turn.text()))
                        .toList();
        try {
            return known.render(messages, true, LocalDateTime.ofInstant(asked, ZoneId.systemDefault()));
        } catch (IllegalArgumentException e) {
            throw new SkippedException(SkipReason.NO_TEMPLATE);
        }
    }

    /** The ids with the token that ends the turn, if the model must have said it. */
    private int[] ended(int[] response, AskedCall call, Choice choice, long counted) throws SkippedException {
        boolean stopped = "stop".equals(choice.finishReason());
        boolean byText = byText(call, choice);
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
