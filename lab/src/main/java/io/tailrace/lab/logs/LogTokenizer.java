package io.tailrace.lab.logs;

import io.tailrace.lab.logs.LoggedRequest.Asked;
import io.tailrace.lab.logs.LoggedRequest.Said;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.model.TextTokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Token ids of what a log has as text, as a server would make and say them.
 *
 * <p><b>Idea.</b> A chat's prompt is what the chat template makes of its messages. Its answer is what the template adds once the answer is a
 * message, too: so tool calls are spelled as the model spells them, and the answer ends with the token that ends a turn. Where the
 * template does not go on from its own prompt, the answer is its text. Prompt and answer are tokenised together, since ids depend on what stands before.
 *
 * @param tokenizer empty: only logs with token ids can be read
 * @param template empty: chats cannot be read
 */
record LogTokenizer(Optional<TextTokenizer> tokenizer, Optional<JinjaChatTemplate> template) {
    /** Ids of a whole prompt, and of its answer. */
    record Ids(int[] prompt, int[] response) {}

    /** Refuses a request that needs what was not given: no other of its kind could be read either. */
    void checkGiven(LoggedRequest request) throws BrokenLineException {
        boolean asText = request.asked().ids() == null;
        if (tokenizer.isEmpty() && (asText || request.said().ids() == null)) {
            throw new BrokenLineException(
                    "a log of text comes with its tokenizer",
                    "no --tokenizer",
                    "give the folder or the tokenizer.json of the model that answered (--tokenizer FOLDER)");
        }
        if (template.isEmpty() && asText && request.asked().messages() != null) {
            throw new BrokenLineException(
                    "a log of chats comes with the model's chat template",
                    "none beside the tokenizer",
                    "give the model's folder (--tokenizer FOLDER) or the template (--chat-template FILE)");
        }
    }

    /** Of a request for which all is given. */
    Ids ids(LoggedRequest request) throws BrokenLineException {
        Asked asked = request.asked();
        Said said = request.said();
        if (asked.ids() != null && said.ids() != null) {
            return new Ids(asked.ids(), said.ids());
        }
        TextTokenizer text = tokenizer.orElseThrow();
        if (asked.ids() != null) {
            return new Ids(asked.ids(), text.encode(spoken(said), false));
        }
        boolean chat = asked.messages() != null;
        String prompt = chat ? render(asked, asked.messages(), true) : asked.text();
        int[] before = text.encode(prompt, !chat);
        if (said.ids() != null) {
            return new Ids(before, said.ids());
        }
        return chat
                ? chat(text, asked, said, prompt, before)
                : new Ids(before, behind(text, prompt, before, spoken(said), true));
    }

    private Ids chat(TextTokenizer text, Asked asked, Said said, String prompt, int[] before)
            throws BrokenLineException {
        String full = render(asked, with(asked.messages(), said), false);
        String answer = full.startsWith(prompt) ? full.substring(prompt.length()) : "";
        if (isSaid(answer, said)) {
            return new Ids(before, turn(text, behind(text, prompt, before, answer, false), said.whole()));
        }
        String end = said.whole() && template.isPresent() ? template.get().endToken() : "";
        return new Ids(before, behind(text, prompt, before, spoken(said) + end, false));
    }

    /** Whether the template spells out all that was said. */
    private static boolean isSaid(String answer, Said said) {
        boolean text = answer.contains(content(said).strip());
        return text && functions(said).stream().allMatch(call -> answer.contains(String.valueOf(call.get("name"))));
    }

    /** Ends with the token that ends the turn, which stands for no text; what the template writes behind it is not the model's. */
    private static int[] turn(TextTokenizer text, int[] ids, boolean whole) {
        int end = ids.length;
        while (end > 0 && isBlank(text, ids[end - 1])) {
            end--;
        }
        boolean ended = end > 0 && text.decode(new int[] {ids[end - 1]}).isEmpty();
        if (!ended) {
            return ids;
        }
        return Arrays.copyOf(ids, whole ? end : end - 1);
    }

    private static boolean isBlank(TextTokenizer text, int id) {
        String token = text.decode(new int[] {id});
        return !token.isEmpty() && token.isBlank();
    }

    /** Ids of what stands behind a prompt; alone, where a token would span the seam. */
    private static int[] behind(TextTokenizer text, String prompt, int[] before, String answer, boolean special) {
        int[] all = text.encode(prompt + answer, special);
        boolean joined = all.length >= before.length && Arrays.equals(before, 0, before.length, all, 0, before.length);
        return joined ? Arrays.copyOfRange(all, before.length, all.length) : text.encode(answer, false);
    }

    private String render(Asked asked, List<Map<String, Object>> messages, boolean answerNext)
            throws BrokenLineException {
        try {
            return template.orElseThrow().render(messages, asked.tools(), answerNext);
        } catch (IllegalArgumentException e) {
            throw new BrokenLineException(
                    "the chat template takes the messages",
                    e.getMessage(),
                    "give the template of the model that answered (--chat-template FILE), or --skip-bad-lines");
        }
    }

    private static List<Map<String, Object>> with(List<Map<String, Object>> messages, Said said) {
        List<Map<String, Object>> all = new ArrayList<>(messages);
        all.add(said.message() == null ? Map.of("role", "assistant", "content", said.text()) : said.message());
        return all;
    }

    /** The answer as text, calls of tools as JSON behind it. */
    private static String spoken(Said said) {
        StringBuilder spoken = new StringBuilder(content(said));
        for (Map<?, ?> call : functions(said)) {
            spoken.append(spoken.isEmpty() ? "" : "\n").append(JsonLines.JSON.valueToTree(call));
        }
        return spoken.toString();
    }

    private static String content(Said said) {
        return said.message() == null
                ? said.text()
                : String.valueOf(said.message().getOrDefault("content", ""));
    }

    private static List<Map<?, ?>> functions(Said said) {
        List<Map<?, ?>> functions = new ArrayList<>();
        if (said.message() != null && said.message().get("tool_calls") instanceof List<?> calls) {
            for (Object call : calls) {
                if (call instanceof Map<?, ?> map && map.get("function") instanceof Map<?, ?> function) {
                    functions.add(function);
                }
            }
        }
        return functions;
    }
}
