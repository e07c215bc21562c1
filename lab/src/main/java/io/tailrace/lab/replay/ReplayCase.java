package io.tailrace.lab.replay;

import io.tailrace.suffix.RememberedAnswer;

/**
 * One recorded request.
 *
 * @param workload what its figures are added to
 * @param scope requests of different scopes never draft from each other's responses
 * @param prompt the full prompt's last tokens
 * @param response what the model really answered, at least two tokens
 * @param repeat whether an earlier request of its stream and scope has exactly this response
 */
public record ReplayCase(String workload, String scope, int[] prompt, int[] response, boolean repeat) {
    /** A request of its own, in no stream. */
    public static ReplayCase of(int[] prompt, int[] response) {
        return new ReplayCase("", "", prompt, response, false);
    }

    /** What an index remembers of it, with the last tokens of its prompt. */
    public RememberedAnswer answer(int promptTail) {
        return RememberedAnswer.of(prompt, promptTail, response);
    }

    /** The same with as many as the product remembers. */
    public RememberedAnswer answer() {
        return answer(RememberedAnswer.TAIL_TOKENS);
    }

    ReplayCase repeated(boolean isRepeat) {
        return new ReplayCase(workload, scope, prompt, response, isRepeat);
    }

    ReplayCase inScope(String other) {
        return new ReplayCase(workload, other, prompt, response, repeat);
    }
}
