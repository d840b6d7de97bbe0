package io.tidegate.docker;

import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.containers.ContainerServers;
import io.tidegate.connect.testkit.scenarios.Skip;

/** Checks whether stacks can be started. */
final class Containers {
    private Containers() {}

    /** A stack needs every image, so it is started only if the tests run on containers. */
    static void skipWithoutThem(Class<?> test) {
        if (!Servers.chosenKind().equals(new ContainerServers.Kind().kind())) {
            Skip.loudly(test, "stacks are started only with -Ptestcontainers");
        }
        try (Servers servers = Servers.chosen()) {
            servers.kafka();
            servers.postgres();
            servers.elasticsearch();
            servers.obstacle().ifPresent(obstacle -> Skip.loudly(test, obstacle));
        }
    }
}
