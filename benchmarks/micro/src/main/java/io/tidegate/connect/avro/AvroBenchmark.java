package io.tidegate.connect.avro;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.tidegate.connect.bench.micro.MicroBenchmark;
import io.tidegate.connect.bench.micro.Readings;
import io.tidegate.connect.bench.micro.ValueForm;
import io.tidegate.connect.common.document.ByteSlice;
import io.tidegate.connect.common.document.FieldDefaults;
import io.tidegate.connect.common.document.JsonEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** From tide readings in Avro to JSON: in one pass, and through a registry's converter and the encoder of values. */
public class AvroBenchmark extends MicroBenchmark {
    @Param("1000")
    public int records;

    private final List<ByteSlice> payloads = new ArrayList<>();
    private final AvroData converter = new AvroData(100);
    private final JsonEncoder encoder = new JsonEncoder(FieldDefaults.IGNORED);
    private AvroTranscoder transcoder;
    private Schema schema;
    private GenericDatumReader<Object> reader;
    private BinaryDecoder decoder;

    @Setup
    public void encode() throws IOException {
        List<SinkRecord> readings = Readings.records(records, ValueForm.STRUCT, records);
        schema = converter.fromConnectSchema(readings.get(0).valueSchema());
        reader = new GenericDatumReader<>(schema);
        transcoder = new AvroTranscoder(schema, FieldDefaults.IGNORED, new AvroInput(), new JsonOutput());
        GenericDatumWriter<Object> writer = new GenericDatumWriter<>(schema);
        for (SinkRecord reading : readings) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            BinaryEncoder avro = EncoderFactory.get().binaryEncoder(out, null);
            writer.write(converter.fromConnectData(reading.valueSchema(), reading.value()), avro);
            avro.flush();
            payloads.add(ByteSlice.of(out.toByteArray()));
        }
    }

    @Benchmark
    public void onePass(Blackhole documents) {
        for (ByteSlice payload : payloads) {
            documents.consume(transcoder.transcode(payload));
        }
    }

    @Benchmark
    public void converterAndEncoder(Blackhole documents) throws IOException {
        for (ByteSlice payload : payloads) {
            decoder = DecoderFactory.get().binaryDecoder(payload.array(), decoder);
            SchemaAndValue value = converter.toConnectData(schema, reader.read(null, decoder));
            documents.consume(encoder.encode(value.schema(), value.value()));
        }
    }
}
