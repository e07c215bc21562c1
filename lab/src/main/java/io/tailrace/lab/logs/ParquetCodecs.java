package io.tailrace.lab.logs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** The codecs of Parquet files: the library's own, and gzip by the JDK, for which the library needs Hadoop. Only reads. */
final class ParquetCodecs implements CompressionCodecFactory {
    static final Set<CompressionCodecName> READ = Set.of(
            CompressionCodecName.UNCOMPRESSED,
            CompressionCodecName.SNAPPY,
            CompressionCodecName.GZIP,
            CompressionCodecName.ZSTD,
            CompressionCodecName.LZ4_RAW);

    private final CodecFactory others = new CodecFactory(new PlainParquetConfiguration(), 0);

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        return codec == CompressionCodecName.GZIP ? new Gzip() : others.getDecompressor(codec);
    }

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException("logs are read, not written");
    }

    @Override
    public void release() {
        others.release();
    }

    private static final class Gzip implements BytesInputDecompressor {
        @Override
        public BytesInput decompress(BytesInput packed, int bytes) throws IOException {
            return BytesInput.from(unpacked(packed, bytes));
        }

        @Override
        public void decompress(ByteBuffer packed, int packedBytes, ByteBuffer page, int bytes) throws IOException {
            page.put(unpacked(BytesInput.from(packed.slice(packed.position(), packedBytes)), bytes));
        }

        private static byte[] unpacked(BytesInput packed, int bytes) throws IOException {
            try (InputStream in = new GZIPInputStream(packed.toInputStream())) {
                return in.readNBytes(bytes);
            }
        }

        @Override
        public void release() {
            // Holds nothing.
        }
    }
}
