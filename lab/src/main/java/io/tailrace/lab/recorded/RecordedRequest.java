package io.tailrace.lab.recorded;

import java.nio.file.Path;

/**
 * One recorded request with the answer a model really gave.
 *
 * @param id unique within its file
 * @param scope the tenant, or the input's default scope
 * @param workload the record's workload, or the file's name without its endings
 * @param session the conversation or agent run it belongs to, or null
 * @param parent the request whose prompt and response its prompt goes on from, or null
 * @param prompt the full prompt's last tokens, at most {@link RecordedInputOptions#promptTokensMax}
 * @param promptTokens length of the full prompt, before it was cut
 * @param response the response's tokens, at least one
 * @param position where it stands in the input
 */
public record RecordedRequest(
        String id,
        String scope,
        String workload,
        String session,
        String parent,
        int[] prompt,
        int promptTokens,
        int[] response,
        Position position) {

    /** Where in the input a request stands; lines count from 1. */
    public record Position(Path file, long line) {
        @Override
        public String toString() {
            return file + ":" + line;
        }
    }
}
