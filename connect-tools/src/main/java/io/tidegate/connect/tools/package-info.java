/**
 * What every command line of this project needs: errors that a user can act on, Ctrl-C, YAML files, and questions to PostgreSQL and
 * Elasticsearch. The quickstart and the benchmarks call it; it imports only the testkit's servers, and neither of its callers.
 */
package io.tidegate.connect.tools;
