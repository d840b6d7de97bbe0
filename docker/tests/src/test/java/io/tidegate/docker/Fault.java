package io.tidegate.docker;

import java.util.List;

/** A fault of a container, made with the {@code docker} command. */
enum Fault {
    KILL("killed", "kill CONTAINER", "start CONTAINER"),
    PAUSE("paused", "pause CONTAINER", "unpause CONTAINER"),
    PARTITION("cut off", "network disconnect NETWORK CONTAINER", "network connect --alias SERVICE NETWORK CONTAINER"),
    /** Limits the container to a twentieth of one core. */
    SLOW("slowed down", "update --cpu-period 100000 --cpu-quota 5000 CONTAINER", "update --cpu-quota -1 CONTAINER"),
    RESTART("restarted", "restart CONTAINER", "inspect CONTAINER");

    private final String word;
    private final String beginning;
    private final String ending;

    Fault(String word, String beginning, String ending) {
        this.word = word;
        this.beginning = beginning;
        this.ending = ending;
    }

    /** The fault in one word, such as "killed". */
    String word() {
        return word;
    }

    void begin(Stack stack, String service) {
        docker(beginning, stack, service);
    }

    /** Ends the fault. From then on the server may recover. */
    void end(Stack stack, String service) {
        docker(ending, stack, service);
    }

    private static void docker(String command, Stack stack, String service) {
        Stack.docker(List.of(command.split(" ")).stream()
                .map(word -> switch (word) {
                    case "CONTAINER" -> stack.container(service);
                    case "NETWORK" -> stack.network();
                    case "SERVICE" -> service;
                    default -> word;
                })
                .toArray(String[]::new));
    }
}
