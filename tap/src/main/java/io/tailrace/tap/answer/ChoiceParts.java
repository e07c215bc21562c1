package io.tailrace.tap.answer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;

/** A choice that is put together from the pieces in which it came. */
final class ChoiceParts {
    private final int index;
    private final StringBuilder text = new StringBuilder();
    private boolean textOnly = true;
    private int[] ids = {};
    private int idCount;
    private boolean someIds;
    private boolean someWithoutIds;
    private int[] promptIds;
    private String finishReason;
    private String stopReason;

    ChoiceParts(int index) {
        this.index = index;
    }

    void add(JsonNode choice, int[] promptIdsOfAll) throws UnreadableException {
        boolean says = addText(choice);
        int[] own = Json.ids(choice, "prompt_token_ids");
        int[] prompt = own == null ? promptIdsOfAll : own;
        promptIds = prompt == null ? promptIds : prompt;
        if (choice.hasNonNull("finish_reason")) {
            finishReason = choice.get("finish_reason").asText();
            says = true;
        }
        if (choice.hasNonNull("stop_reason")) {
            stopReason = choice.get("stop_reason").asText();
        }
        addIds(Json.ids(choice, "token_ids"), says);
    }

    ReadAnswer.Choice choice() {
        return new ReadAnswer.Choice(
                index,
                text.toString(),
                textOnly,
                someIds ? Arrays.copyOf(ids, idCount) : null,
                !someWithoutIds,
                promptIds,
                finishReason,
                stopReason);
    }

    /** Whether a piece says something, so that ids belong to it. */
    private boolean addText(JsonNode choice) {
        int before = text.length();
        boolean more = false;
        text.append(choice.path("text").asText(""));
        for (String part : new String[] {"message", "delta"}) {
            JsonNode said = choice.path(part);
            text.append(said.path("content").asText(""));
            more |= Json.hasContent(said, "tool_calls")
                    || Json.hasContent(said, "function_call")
                    || Json.hasContent(said, "reasoning")
                    || Json.hasContent(said, "reasoning_content")
                    || Json.hasContent(said, "refusal")
                    || Json.hasContent(said, "audio");
        }
        textOnly &= !more;
        return more || text.length() > before;
    }

    private void addIds(int[] more, boolean says) {
        if (more == null) {
            someWithoutIds |= says;
            return;
        }
        someIds = true;
        if (idCount + more.length > ids.length) {
            ids = Arrays.copyOf(ids, Math.max(idCount + more.length, 2 * ids.length));
        }
        System.arraycopy(more, 0, ids, idCount, more.length);
        idCount += more.length;
    }
}
