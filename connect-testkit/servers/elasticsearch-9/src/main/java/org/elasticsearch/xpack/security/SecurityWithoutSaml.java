package org.elasticsearch.xpack.security;

import java.util.List;
import org.elasticsearch.common.settings.Settings;

/**
 * The product's security plugin without its SAML actions. The injector reflects over every action, and OpenSAML is not
 * on Maven Central.
 */
public final class SecurityWithoutSaml extends Security {
    public SecurityWithoutSaml(Settings settings) {
        super(settings);
    }

    @Override
    public List<ActionHandler> getActions() {
        return super.getActions().stream()
                .filter(handler -> !handler.getTransportAction().getName().contains("Saml"))
                .toList();
    }
}
