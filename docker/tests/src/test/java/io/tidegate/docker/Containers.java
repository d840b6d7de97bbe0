package io.tidegate.docker;

import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.containers.ContainerServers;
import io.tidegate.connect.testkit.scenarios.Skip;

/** Whether stacks can be started here. */
final class Containers {
    private Containers() {}

    /** A stack takes every image; it is started only when the tests are to run on containers. */
    static void skipWithoutThem(Class<?> test) {
        if (!Servers.chosenKind().equals(new ContainerServers.Kind().kind())) {
            Skip.loudly(test, "stacks are started with -Ptestcontainers only");
        }
        try (Servers servers = Servers.chosen()) {
            servers.kafka();
            servers.postgres();
            servers.elasticsearch();
            servers.obstacle().ifPresent(obstacle -> Skip.loudly(test, obstacle));
        }
    }
}
