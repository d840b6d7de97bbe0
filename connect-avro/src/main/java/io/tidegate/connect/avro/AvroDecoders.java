package io.tidegate.connect.avro;

import io.tidegate.connect.common.format.RegistrySettings;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.format.ValueDecoders;
import io.tidegate.connect.common.format.ValueFormat;
import io.tidegate.connect.common.time.Clock;

/** Decodes Avro. {@link java.util.ServiceLoader} creates it. */
public final class AvroDecoders implements ValueDecoders {
    @Override
    public ValueFormat format() {
        return ValueFormat.AVRO;
    }

    @Override
    public ValueDecoder open(RegistrySettings registry) {
        return new AvroDecoder(
                new RegistryClient(registry, RegistryClient.PATIENCE), Clock.SYSTEM, AvroDecoder.MAX_PLANS);
    }
}
