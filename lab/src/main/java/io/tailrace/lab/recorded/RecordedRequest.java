package io.tailrace.lab.recorded;

import java.nio.file.Path;
import java.util.Locale;

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

    /** The same under another id. */
    public RecordedRequest withId(String other) {
        return new RecordedRequest(other, scope, workload, session, parent, prompt, promptTokens, response, position);
    }

    /**
     * Where in the input a request stands.
     *
     * @param number counts from 1; 0 means the file as a whole
     */
    public record Position(Path file, Unit unit, long number) {
        public Position(Path file, long line) {
            this(file, Unit.LINE, line);
        }

        /** Where in its file. */
        public String within() {
            return unit.name().toLowerCase(Locale.ROOT) + " " + number;
        }

        @Override
        public String toString() {
            if (number == 0) {
                return file.toString();
            }
            return unit == Unit.LINE ? file + ":" + number : file + ", " + within();
        }

        /** What is counted in a file. */
        public enum Unit {
            LINE,
            RECORD,
            ROW
        }
    }
}
