package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AuditJudgeTest {
    private static Map<String, Object> row(String check, String result, String found) {
        return Map.of("check", check, "result", result, "found", found);
    }

    @Test
    void whatAHostileManifestLeavesUnreadIsExpectedAndNothingElseIsUnknown() {
        Map<String, Object> records = row("records", "ok", "7 read; at most 1 wait");
        Map<String, Object> unread = row("readable", "unknown", "1 records were not read");
        assertThat(AuditJudge.allIsKnown(List.of(records, unread))).isTrue();
        assertThat(AuditJudge.allIsKnown(List.of(records, row("acknowledged", "unknown", ""))))
                .isFalse();
    }
}
