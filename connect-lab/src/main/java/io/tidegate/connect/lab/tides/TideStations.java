package io.tidegate.connect.lab.tides;

import java.util.List;
import java.util.Optional;

/** NOAA's tidal stations, ordered by id. */
record TideStations(List<TideStation> list) {
    static final String SEATTLE = "9447130";

    TideStations {
        list = List.copyOf(list);
    }

    static TideStations all() {
        return new TideStations(Resources.rows("stations.tsv").stream()
                .map(row ->
                        new TideStation(row[0], row[1], row[2], Double.parseDouble(row[3]), Double.parseDouble(row[4])))
                .toList());
    }

    Optional<TideStation> find(String id) {
        return list.stream().filter(station -> station.id().equals(id)).findFirst();
    }
}
