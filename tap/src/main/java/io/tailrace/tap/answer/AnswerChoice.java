package io.tailrace.tap.answer;

/**
 * One of an answer's choices.
 *
 * @param index its number
 * @param text what it says
 * @param textOnly false: it says more than the text, such as tool calls or reasoning
 * @param ids its token ids; null if the server gave none
 * @param idsWhole false: the server gave the ids of a part of it only
 * @param promptIds the prompt's; null if the server gave none
 * @param finishReason why it ended; null: it has no end
 * @param stopReason the text or the token that ended it, if the server says so; null otherwise
 */
public record AnswerChoice(
        int index,
        String text,
        boolean textOnly,
        int[] ids,
        boolean idsWhole,
        int[] promptIds,
        String finishReason,
        String stopReason) {}
