package io.tidegate.connect.jsonb.field;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.jsonb.row.DocumentField;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeCountTest {
    @ParameterizedTest
    @CsvSource({
        "DAYS, 0, 1970-01-01",
        "DAYS, 20422, 2025-11-30",
        "DAYS, -719529, 0002-12-31 BC",
        "DAYS, 2932897, 10000-01-01",
        "TIME_MILLIS, 101530, 00:01:41.530",
        "TIME_MICROS, 86400000000, 24:00:00",
        "TIME_MICROS, -3020399000000, -838:59:59",
        "TIME_NANOS, 1, 00:00:00.000000001",
        "MILLIS, -1, 1969-12-31T23:59:59.999Z",
        "MICROS, 1764460800123456, 2025-11-30T00:00:00.123456Z",
        "MICROS, -62167219200000001, 0002-12-31T23:59:59.999999Z BC",
        "MICROS, 9223372036825200000, infinity",
        "MICROS, -9223372036832400000, -infinity",
        "NANOS, 1764460800000000001, 2025-11-30T00:00:00.000000001Z",
        "DURATION_MICROS, 3600000000, 01:00:00",
        "DURATION_MICROS, 9223372036854775807, 2562047788:00:54.775807",
        "DURATION_NANOS, -5400500000000, -01:30:00.500000000"
    })
    void aCountIsWrittenAsWhatItCounts(TimeCount count, long number, String text) {
        assertThat(count.text(number)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "date, DAYS, 20422, false",
        "date, MILLIS, 0, false",
        "date[], MILLIS, -86400000, false",
        "date, MILLIS, -1, true",
        "date[], NANOS, 1764460800000000001, true",
        "date, MICROS, 9223372036825200000, false",
        "date, MICROS, -9223372036832400000, false",
        "time without time zone, MILLIS, 0, true",
        "time without time zone, TIME_MILLIS, 1, false",
        "timestamp with time zone, MILLIS, 1, false"
    })
    void aTimestampIsCutByADateUnlessItIsMidnight(String type, TimeCount count, long number, boolean isCut) {
        assertThat(count.isCutIn(new DocumentField("at", type, type), number)).isEqualTo(isCut);
    }
}
