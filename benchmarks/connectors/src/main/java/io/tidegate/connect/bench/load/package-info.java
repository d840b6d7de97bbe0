/** A load with a shape: which record is due when. The generators of {@code ./bench} have it in common, in a worker or out of one. */
package io.tidegate.connect.bench.load;
