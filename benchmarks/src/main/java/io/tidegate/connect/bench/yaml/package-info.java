/** YAML as JSON trees: the files of loads, sweeps and backlogs. It imports errors only. */
package io.tidegate.connect.bench.yaml;
