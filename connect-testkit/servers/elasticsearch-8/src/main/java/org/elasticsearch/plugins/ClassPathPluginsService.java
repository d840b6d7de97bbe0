package org.elasticsearch.plugins;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.Build;
import org.elasticsearch.action.admin.cluster.node.info.PluginsAndModules;
import org.elasticsearch.env.Environment;
import org.elasticsearch.plugins.spi.SPIClassIterator;

/** The product's plugin service, which loads plugins from the class path instead of from module folders. */
public final class ClassPathPluginsService extends PluginsService {
    private final List<LoadedPlugin> loaded = new ArrayList<>();
    private final List<PluginDescriptor> descriptors = new ArrayList<>();

    public ClassPathPluginsService(Environment environment, List<Class<? extends Plugin>> classes) {
        super(
                environment.settings(),
                environment.configDir(),
                PluginsLoader.createPluginsLoader(Set.of(), Set.of(), Map.of(), false));
        for (Class<? extends Plugin> type : classes) {
            PluginDescriptor descriptor = descriptor(type);
            Plugin plugin = loadPlugin(type, environment.settings(), environment.configDir());
            loaded.add(new LoadedPlugin(descriptor, plugin, type.getClassLoader()));
            descriptors.add(descriptor);
        }
        loadExtensions(loaded);
    }

    /** Reads the descriptor from a file, because its constructor differs between versions. */
    private static PluginDescriptor descriptor(Class<? extends Plugin> type) {
        String text = """
                name=%s
                description=from the class path
                version=%s
                elasticsearch.version=%2$s
                java.version=17
                classname=%s
                """.formatted(type.getSimpleName(), Build.current().version(), type.getName());
        try {
            return PluginDescriptor.readInternalDescriptorFromStream(
                    new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The superclass's constructor also calls this, before there are any plugins. */
    @Override
    protected List<LoadedPlugin> plugins() {
        return loaded == null ? List.of() : loaded;
    }

    @Override
    public PluginsAndModules info() {
        return new PluginsAndModules(List.of(), descriptors);
    }

    /**
     * All plugins share one class loader, so each provider must be loaded only once. A provider in the jar of an active
     * plugin is loaded for that plugin; the other providers are the server's own.
     */
    @Override
    public <T> List<? extends T> loadServiceProviders(Class<T> service) {
        Map<String, Plugin> owners = owners();
        if (owners.isEmpty()) {
            return List.of();
        }
        List<T> providers = new ArrayList<>();
        String server = jar(PluginsService.class);
        for (var types = SPIClassIterator.get(service, getClass().getClassLoader()); types.hasNext(); ) {
            Class<? extends T> type = types.next();
            Plugin owner = owners.get(jar(type));
            if (owner != null || jar(type).equals(server)) {
                providers.add(create(type, owner));
            }
        }
        return providers;
    }

    /** The plugin of each jar. A plugin that a subclass adapts also counts for the jar of its superclass. */
    private Map<String, Plugin> owners() {
        Map<String, Plugin> owners = new HashMap<>();
        for (LoadedPlugin plugin : plugins()) {
            for (Class<?> type = plugin.instance().getClass(); type != Plugin.class; type = type.getSuperclass()) {
                owners.putIfAbsent(jar(type), plugin.instance());
            }
        }
        return owners;
    }

    private static <T> T create(Class<T> type, Plugin owner) {
        try {
            for (Constructor<?> constructor : type.getConstructors()) {
                if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0].isInstance(owner)) {
                    return type.cast(constructor.newInstance(owner));
                }
            }
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot create the service provider " + type.getName(), e);
        }
    }

    private static String jar(Class<?> type) {
        URL location = type.getProtectionDomain().getCodeSource().getLocation();
        return location.toString();
    }
}
