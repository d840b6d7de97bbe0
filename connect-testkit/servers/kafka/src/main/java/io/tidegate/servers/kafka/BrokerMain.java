package io.tidegate.servers.kafka;

import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Runs {@code kafka-storage.sh format} and {@code kafka-server-start.sh} in one JVM, which saves the start of a second
 * one. Arguments: the broker's properties file, its log directory, the cluster's id.
 */
public final class BrokerMain {
    private BrokerMain() {}

    public static void main(String[] args) {
        String config = args[0];
        if (!Files.exists(Path.of(args[1], "meta.properties"))) {
            String[] format = {"format", "--config", config, "--cluster-id", args[2]};
            int code = StorageTool.execute(format, System.out);
            if (code != 0) {
                System.exit(code);
            }
        }
        Kafka.main(new String[] {config});
    }
}
