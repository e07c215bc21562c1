package io.tailrace.tap.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    @Test
    void linesEndInThreeWays() {
        assertThat(events("data: a\n\ndata: b\r\n\r\ndata: c\r\r")).containsExactly("a", "b", "c");
    }

    @Test
    void oneSpaceBehindTheColonIsNoneOfTheData() {
        assertThat(events("data:a\n\ndata:  b\n\ndata:\n\n")).containsExactly("a", " b", "");
    }

    @Test
    void linesOfOneEventAreJoined() {
        assertThat(events("data: a\ndata\ndata: b\n\n")).containsExactly("a\n\nb");
    }

    @Test
    void commentsAndOtherFieldsArePassedOver() {
        assertThat(events(": x\n\nid: 1\nevent: e\ndata: a\ndatum: b\n\n\n\nretry: 5\n\n"))
                .containsExactly("a");
    }

    @Test
    void anEventWithoutItsEndIsNone() {
        assertThat(events("data: a\n\ndata: b\n")).containsExactly("a");
        assertThat(events("data: a\n\ndata: b")).containsExactly("a");
        assertThat(events("")).isEmpty();
    }

    @Test
    void aMarkOfTheEncodingIsNoneOfTheFirstLine() {
        assertThat(events("\ufeffdata: a\n\n")).containsExactly("a");
    }

    private static List<String> events(String text) {
        EventStream stream = new EventStream(text.getBytes(StandardCharsets.UTF_8));
        List<String> all = new ArrayList<>();
        for (byte[] data = stream.next(); data != null; data = stream.next()) {
            all.add(new String(data, StandardCharsets.UTF_8));
        }
        return all;
    }
}
