/**
 * What the micro benchmarks have in common. The benchmarks themselves are in the packages of what they measure, which
 * therefore needs no door of its own for them.
 */
package io.tidegate.connect.bench.micro;
