/** How results and progress are shown. It imports no other package. */
package io.tidegate.connect.tools.output;
