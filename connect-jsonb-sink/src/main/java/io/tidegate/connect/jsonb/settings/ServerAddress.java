package io.tidegate.connect.jsonb.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** The part of a JDBC URL that may be shown: hosts, ports and database. Its other parts may contain secrets. */
final class ServerAddress {
    private ServerAddress() {}

    /** Gives {@code a:5432,b:5432/db}. */
    static String of(String url) {
        Properties parsed = Driver.parseURL(url, null);
        if (parsed == null) {
            return "?";
        }
        List<String> hosts = List.of(PGProperty.PG_HOST.getOrDefault(parsed).split(","));
        List<String> ports = List.of(PGProperty.PG_PORT.getOrDefault(parsed).split(","));
        List<String> all = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            all.add(hosts.get(i) + ":" + ports.get(Math.min(i, ports.size() - 1)));
        }
        return String.join(",", all) + "/" + PGProperty.PG_DBNAME.getOrDefault(parsed);
    }
}
