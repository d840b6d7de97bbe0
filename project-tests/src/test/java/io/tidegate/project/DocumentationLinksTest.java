package io.tidegate.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every relative link of the project's pages leads to a file, and its anchor to a heading. */
final class DocumentationLinksTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCS = PROJECT.resolve("docs");

    /** Text or an image in brackets, then the address; both may run over the end of a line. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");

    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```\\s*$|`[^`\\n]*`");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```\\s*$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)\\s*$");

    private static final Pattern INCLUDE = Pattern.compile("<include>(.+?)</include>");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int checked = 0;
        for (Path page : pages()) {
            for (String address : links(page)) {
                checked++;
                if (isBroken(page, address)) {
                    broken.add(PROJECT.relativize(page) + " -> " + address);
                }
            }
        }
        assertThat(checked).isGreaterThan(100);
        assertThat(broken).isEmpty();
    }

    /** As far as the pages of the archive itself go; what they lead to may lead further. */
    @Test
    void theArchivesHaveWhatTheirPagesLinkTo() throws IOException {
        String archive = Files.readString(PROJECT.resolve("assembly/plugin-archive.xml"));
        List<Path> packed = new ArrayList<>();
        for (MatchResult include : INCLUDE.matcher(archive).results().toList()) {
            String name = include.group(1);
            packed.add(PROJECT.resolve(name.endsWith("/*.yaml") ? name.substring(0, name.lastIndexOf('/')) : name));
        }
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            if (page.startsWith(DOCS) || page.equals(PROJECT.resolve("README.md"))) {
                for (String address : links(page)) {
                    Path target = page.resolveSibling(address.replaceFirst("#.*", ""))
                            .toAbsolutePath()
                            .normalize();
                    if (!target.startsWith(DOCS) && packed.stream().noneMatch(target::startsWith)) {
                        missing.add(PROJECT.relativize(page) + " -> " + address);
                    }
                }
            }
        }
        assertThat(packed).hasSizeGreaterThan(10);
        assertThat(missing).isEmpty();
    }

    @Test
    void theIndexListsEveryPage() throws IOException {
        Path index = DOCS.resolve("README.md");
        Set<Path> listed = new HashSet<>(List.of(index));
        for (String address : links(index)) {
            listed.add(DOCS.resolve(address.replaceFirst("#.*", "")).normalize());
        }
        try (Stream<Path> files = Files.walk(DOCS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".md")).toList())
                    .hasSizeGreaterThan(20)
                    .allSatisfy(page -> assertThat(listed).contains(page));
        }
    }

    /** Without the headers no reason arrives, and the letters cannot be redriven. Everybody copies these configurations. */
    @Test
    void everyConfigurationWithADeadLetterTopicAsksForTheReasons() throws IOException {
        int checked = 0;
        for (Path page : pages()) {
            for (String code : FENCED.matcher(Files.readString(page))
                    .results()
                    .map(MatchResult::group)
                    .filter(block -> block.contains("errors.deadletterqueue.topic.name"))
                    .toList()) {
                checked++;
                assertThat(code).as(page.toString()).contains("errors.deadletterqueue.context.headers.enable");
            }
        }
        assertThat(checked).isGreaterThan(3);
    }

    /** The site's build fails otherwise, and that is only tried where Python is. */
    @Test
    void theSitesMenuHasEveryPage() throws IOException {
        String menu = Files.readString(PROJECT.resolve("site/mkdocs.yml"));
        Path index = DOCS.resolve("README.md"); // the site has its own start
        try (Stream<Path> files = Files.walk(DOCS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".md") && !file.equals(index))
                            .map(page -> DOCS.relativize(page).toString())
                            .toList())
                    .hasSizeGreaterThan(20)
                    .allSatisfy(page -> assertThat(menu).contains(" " + page + "\n"));
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(PROJECT)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        for (Path folder : List.of(DOCS, PROJECT.resolve("docker"), PROJECT.resolve("benchmarks"))) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".md")
                                && !file.toString().contains("/target/"))
                        .forEach(pages::add);
            }
        }
        return pages;
    }

    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .filter(address -> !address.matches("[a-z]+:.*"))
                .toList();
    }

    private boolean isBroken(Path page, String address) throws IOException {
        int hash = address.indexOf('#');
        String file = hash < 0 ? address : address.substring(0, hash);
        Path target = file.isEmpty()
                ? page
                : page.resolveSibling(file).toAbsolutePath().normalize();
        if (!target.startsWith(PROJECT) || !Files.exists(target)) {
            return true;
        }
        return hash >= 0 && !anchors(target).contains(address.substring(hash + 1));
    }

    private Set<String> anchors(Path page) throws IOException {
        Set<String> known = anchors.get(page);
        if (known == null) {
            known = headings(Files.readString(page));
            anchors.put(page, known);
        }
        return known;
    }

    /** As GitHub makes them: lower case, without punctuation, blanks as hyphens, repeated ones numbered. */
    private static Set<String> headings(String markdown) {
        Map<String, Integer> seen = new LinkedHashMap<>();
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(FENCED.matcher(markdown).replaceAll("")).results().forEach(heading -> {
            String anchor = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int times = seen.merge(anchor, 1, Integer::sum);
            anchors.add(times == 1 ? anchor : anchor + "-" + (times - 1));
        });
        return anchors;
    }
}
