package io.tidegate.connect.avro;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.tidegate.connect.bench.micro.ConvertedValue;
import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.bench.micro.Readings;
import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.RawMessageEncoder;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** From a tide reading in Avro to JSON: in one pass, and through a registry's converter and the encoder of values. */
public class AvroBenchmark extends MicroBenchmark {
    private final SinkRecord reading =
            Readings.records(1, ConvertedValue.STRUCT, 1).get(0);
    private final AvroData converter = new AvroData(100);
    private final Schema schema = converter.fromConnectSchema(reading.valueSchema());
    private final JsonEncoder encoder = new JsonEncoder();
    private final GenericDatumReader<Object> reader = new GenericDatumReader<>(schema);
    private final AvroTranscoder transcoder = new AvroTranscoder(schema, new AvroInput(), new JsonOutput());
    private byte[] payload;

    @Setup
    public void encode() throws IOException {
        Object datum = converter.fromConnectData(reading.valueSchema(), reading.value());
        payload =
                new RawMessageEncoder<>(GenericData.get(), schema).encode(datum).array();
    }

    @Benchmark
    public Object onePass() {
        return transcoder.transcode(ByteSlice.of(payload));
    }

    @Benchmark
    public Object converterAndEncoder() throws IOException {
        Object datum = reader.read(null, DecoderFactory.get().binaryDecoder(payload, null));
        SchemaAndValue value = converter.toConnectData(schema, datum);
        return encoder.encode(value.schema(), value.value());
    }
}
