package io.tailrace.lab.replay;

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

    ReplayCase repeated(boolean isRepeat) {
        return new ReplayCase(workload, scope, prompt, response, isRepeat);
    }

    ReplayCase inScope(String other) {
        return new ReplayCase(workload, other, prompt, response, repeat);
    }
}
