package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedRequest.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Rows of a Parquet file, lists and structures as JSON has them. Read row group by row group. */
final class ParquetRows implements LogRows {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Path path;
    private final ParquetFileReader file;
    private final MessageType schema;
    private final MessageColumnIO columns;
    private RecordReader<Group> records;
    private long left;
    private long row;

    ParquetRows(Path path) throws IOException {
        this.path = path;
        this.file = opened();
        this.schema = file.getFooter().getFileMetaData().getSchema();
        this.columns = new ColumnIOFactory().getColumnIO(schema);
    }

    /** The library throws what is unchecked at a file that is none of its own. */
    private ParquetFileReader opened() throws IOException {
        try {
            ParquetFileReader opened = ParquetFileReader.open(
                    new LocalInputFile(path),
                    ParquetReadOptions.builder(new PlainParquetConfiguration())
                            .withCodecFactory(new ParquetCodecs())
                            .build());
            Optional<CompressionCodecName> unread = unread(opened.getFooter());
            if (unread.isPresent()) {
                opened.close();
                throw codec(unread.get());
            }
            return opened;
        } catch (RecordedInputException e) {
            throw e;
        } catch (RuntimeException e) {
            throw damaged(e);
        }
    }

    private static Optional<CompressionCodecName> unread(ParquetMetadata footer) {
        return footer.getBlocks().stream()
                .flatMap(group -> group.getColumns().stream())
                .map(ColumnChunkMetaData::getCodec)
                .filter(codec -> !ParquetCodecs.READ.contains(codec))
                .findFirst();
    }

    private RecordedInputException codec(CompressionCodecName codec) {
        return new RecordedInputException(
                new Position(path, 0),
                "a Parquet file is compressed with snappy, gzip, zstd or lz4, or not at all",
                codec.name().toLowerCase(Locale.ROOT),
                "write it anew with one of these",
                null);
    }

    private RecordedInputException damaged(RuntimeException e) {
        return new RecordedInputException(
                new Position(path, unit(), row),
                "a file that begins like Parquet is Parquet to its end",
                "no Parquet that can be read",
                "copy or export it again",
                e);
    }

    @Override
    public LogRow next() throws IOException {
        try {
            return read();
        } catch (RuntimeException e) {
            throw damaged(e);
        }
    }

    private LogRow read() throws IOException {
        while (left == 0) {
            PageReadStore group = file.readNextRowGroup();
            if (group == null) {
                return null;
            }
            left = group.getRowCount();
            records = columns.getRecordReader(group, new GroupRecordConverter(schema));
        }
        left--;
        row++;
        return new LogRow(object(records.read()), row);
    }

    private static ObjectNode object(Group group) {
        ObjectNode object = NODES.objectNode();
        GroupType type = group.getType();
        for (int field = 0; field < type.getFieldCount(); field++) {
            if (group.getFieldRepetitionCount(field) > 0) {
                object.set(type.getFieldName(field), field(group, field));
            }
        }
        return object;
    }

    private static JsonNode field(Group group, int field) {
        Type type = group.getType().getType(field);
        if (type.isRepetition(Type.Repetition.REPEATED)) {
            ArrayNode all = NODES.arrayNode();
            for (int i = 0; i < group.getFieldRepetitionCount(field); i++) {
                all.add(value(group, field, i));
            }
            return all;
        }
        return value(group, field, 0);
    }

    private static JsonNode value(Group group, int field, int at) {
        Type type = group.getType().getType(field);
        if (type.isPrimitive()) {
            return switch (type.asPrimitiveType().getPrimitiveTypeName()) {
                case INT32 -> NODES.numberNode(group.getInteger(field, at));
                case INT64 -> NODES.numberNode(group.getLong(field, at));
                case FLOAT -> NODES.numberNode(group.getFloat(field, at));
                case DOUBLE -> NODES.numberNode(group.getDouble(field, at));
                case BOOLEAN -> NODES.booleanNode(group.getBoolean(field, at));
                default -> NODES.textNode(group.getBinary(field, at).toStringUsingUTF8());
            };
        }
        Group inner = group.getGroup(field, at);
        return type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation
                ? list(inner)
                : object(inner);
    }

    /** A list is a group with one repeated field, whose elements are wrapped once more unless an old writer left that out. */
    private static ArrayNode list(Group group) {
        ArrayNode list = NODES.arrayNode();
        Type repeated = group.getType().getType(0);
        for (int i = 0; i < group.getFieldRepetitionCount(0); i++) {
            boolean wrapped = !repeated.isPrimitive() && repeated.asGroupType().getFieldCount() == 1;
            list.add(wrapped ? element(group.getGroup(0, i)) : value(group, 0, i));
        }
        return list;
    }

    private static JsonNode element(Group wrapper) {
        return wrapper.getFieldRepetitionCount(0) == 0 ? NODES.nullNode() : field(wrapper, 0);
    }

    @Override
    public List<String> columns() {
        return schema.getFields().stream().map(Type::getName).toList();
    }

    @Override
    public long line() {
        return row;
    }

    @Override
    public Position.Unit unit() {
        return Position.Unit.ROW;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
