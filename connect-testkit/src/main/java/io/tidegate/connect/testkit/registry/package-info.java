/**
 * A schema registry as a child process, and its converters as a plugin for a worker. The scenarios call it. It imports
 * {@code process} and {@code net}, and no other server.
 */
package io.tidegate.connect.testkit.registry;
