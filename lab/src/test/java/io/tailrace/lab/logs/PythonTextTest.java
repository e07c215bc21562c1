package io.tailrace.lab.logs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PythonTextTest {
    @Test
    void escapesAreReadAndWhatPythonDoesNotWriteStaysAsItIs() {
        assertThat(PythonText.read("'a\\n\\x41\\u00e9\\U0001f600\\'b'")).isEqualTo("a\nA\u00e9\ud83d\ude00'b");
        for (String none :
                new String[] {"\\UWill it ", "\\x4", "\\xg1", "\\U00110000", "\\Uffffffff", "\\u12", "\\x+1"}) {
            assertThat(PythonText.read("'" + none + "'")).isEqualTo(none);
        }
    }
}
