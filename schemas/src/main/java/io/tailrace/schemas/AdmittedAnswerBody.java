package io.tailrace.schemas;

import java.io.IOException;
import java.time.Instant;
import org.apache.avro.io.BinaryDecoder;

/** Reads an admitted answer of the current schema version field by field, tokens straight into an array, as {@link GenerationBody} does. */
final class AdmittedAnswerBody {
    private AdmittedAnswerBody() {}

    /** Fields in the order of {@code AdmittedAnswer.avsc}. */
    static AdmittedAnswer read(BinaryDecoder in) throws IOException {
        return new AdmittedAnswer(
                new Lane(in.readString(), in.readString(), in.readString()),
                in.readLong(),
                in.readLong(),
                TokenIds.toList(GenerationBody.tokens(in)),
                Instant.ofEpochMilli(in.readLong()));
    }
}
