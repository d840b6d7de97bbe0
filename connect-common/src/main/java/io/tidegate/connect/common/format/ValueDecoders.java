package io.tidegate.connect.common.format;

import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;

/** A module that decodes values of one format. It is a service of the plugin, so that the core does not depend on it. */
public interface ValueDecoders {
    /** The format that it decodes. */
    ValueFormat format();

    /**
     * A decoder for one task. It contacts no registry yet.
     *
     * @throws ConfigException when the settings cannot be used
     */
    ValueDecoder open(RegistrySettings registry);

    /**
     * The module of a format.
     *
     * @throws ConfigException when the plugin's folder has none
     */
    static ValueDecoders of(ValueFormat format) {
        for (ValueDecoders decoders : ServiceLoader.load(ValueDecoders.class, ValueDecoders.class.getClassLoader())) {
            if (decoders.format() == format) {
                return decoders;
            }
        }
        throw new ConfigException(
                FormatSettings.VALUE_FORMAT,
                format,
                "the plugin's folder has no connect-avro-VERSION.jar; install all its jars");
    }
}
