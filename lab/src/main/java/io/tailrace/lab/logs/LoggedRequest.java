package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One finished request as a log tells of it, before it is tokenised.
 *
 * @param id of the log, or null
 * @param turn stands behind the id where one record holds several requests
 * @param scope null: not said
 * @param workload null: not said
 * @param session null: not said
 * @param time what orders it among others, or null
 */
record LoggedRequest(
        String id, String turn, String scope, String workload, String session, Double time, Asked asked, Said said) {
    LoggedRequest {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(said, "said");
    }

    /** What the model was given: exactly one of the three. */
    record Asked(List<Map<String, Object>> messages, List<Object> tools, String text, int[] ids) {
        static Asked chat(List<Map<String, Object>> messages, List<Object> tools) {
            return new Asked(messages, tools, null, null);
        }

        static Asked text(String text) {
            return new Asked(null, List.of(), text, null);
        }

        static Asked ids(int[] ids) {
            return new Asked(null, List.of(), null, ids);
        }
    }

    /**
     * What the model answered: exactly one of the three.
     *
     * @param whole false if the answer was cut off before the model ended its turn
     */
    record Said(Map<String, Object> message, String text, int[] ids, boolean whole) {
        static Said of(Map<String, Object> message, String finish) {
            return new Said(message, null, null, isWhole(finish));
        }

        static Said of(String text, String finish) {
            return new Said(null, text, null, isWhole(finish));
        }

        static Said of(int[] ids) {
            return new Said(null, null, ids, true);
        }

        private static boolean isWhole(String finish) {
            return finish == null || !finish.equals("length");
        }
    }

    /** Where in a record a request's name and place are found; the first that is there counts. */
    record Names(List<String> id, List<String> scope, List<String> workload, List<String> session, List<String> time) {
        static final Names USUAL = new Names(
                List.of("id", "request_id", "custom_id"),
                List.of("scope", "tenant"),
                List.of("workload", "task"),
                List.of("session_id", "sessionId", "session", "conversation_id"),
                List.of());

        LoggedRequest request(JsonNode row, String turn, Asked asked, Said said) {
            return new LoggedRequest(
                    LogFields.text(row, id),
                    turn,
                    LogFields.text(row, scope),
                    LogFields.text(row, workload),
                    LogFields.text(row, session),
                    LogFields.time(row, time),
                    asked,
                    said);
        }
    }
}
