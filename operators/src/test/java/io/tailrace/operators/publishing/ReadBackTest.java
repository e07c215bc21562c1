package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.store.DurableStore.StoredFile;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReadBackTest {
    private static final StoredFile OLD = new StoredFile("old", 10, 1_000);
    private static final StoredFile NEW = new StoredFile("new", 10, 2_000);

    private final ReadBack readBack = new ReadBack();

    @Test
    void aFileIsReadOnceAndNotAgainWhileItIsAsItWas() {
        assertThat(readBack.due(List.of(OLD, NEW))).containsExactly(NEW, OLD);
        readBack.intact(OLD);
        assertThat(readBack.due(List.of(OLD, NEW))).containsExactly(NEW);
        readBack.intact(NEW);
        assertThat(readBack.due(List.of(OLD, NEW))).isEmpty();
    }

    @Test
    void aFileWhoseTimeOrSizeHasChangedIsReadUntilItIsFoundIntact() {
        readBack.intact(OLD);
        readBack.intact(NEW);
        StoredFile touched = new StoredFile("old", 10, 1_001);
        StoredFile cut = new StoredFile("new", 9, 2_000);
        assertThat(readBack.due(List.of(touched, cut))).containsExactly(touched, cut);
        assertThat(readBack.due(List.of(touched, cut))).containsExactly(touched, cut);
        readBack.intact(touched);
        assertThat(readBack.due(List.of(touched, cut))).containsExactly(cut);
    }

    @Test
    void ofFilesThatWereNotReadYetOnlySoManyBytesAreReadAtOnceTheNewestFirst() {
        StoredFile large = new StoredFile("large", ReadBack.BYTES_MAX - 5, 3_000);
        assertThat(readBack.due(List.of(OLD, large))).containsExactly(large);
        assertThat(readBack.due(List.of(OLD, NEW, large))).containsExactly(large);
        readBack.intact(large);
        assertThat(readBack.due(List.of(OLD, large))).containsExactly(OLD);
    }

    @Test
    void aLargeFileIsReadOnceItHasChanged() {
        StoredFile huge = new StoredFile("huge", 10 * ReadBack.BYTES_MAX, 1_000);
        assertThat(readBack.due(List.of(huge))).isEmpty();
        StoredFile changed = new StoredFile("huge", 10 * ReadBack.BYTES_MAX, 1_001);
        assertThat(readBack.due(List.of(changed))).containsExactly(changed);
    }

    @Test
    void whatNothingNamesAnyMoreIsForgotten() {
        readBack.intact(OLD);
        readBack.due(List.of());
        assertThat(readBack.due(List.of(OLD))).containsExactly(OLD);
    }
}
