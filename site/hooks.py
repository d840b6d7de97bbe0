"""Makes MkDocs read the project's pages as GitHub does.

- Pages outside of docs/ belong to the site. Its first page is home.md, which leads to what readers want in one or two clicks.
- A link to a page of the site stays on it. A link to another file of the project leads to the repository. Anything else is an error.
- A list of the page's own headings is left out: the site shows one beside each page.
- Lists may begin without an empty line and be indented by two or three blanks, as in CommonMark.
- A setting's heading, type and text become a card, with a link to itself.
"""
import os
import posixpath
import re

from mkdocs.structure.files import File

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ELSEWHERE = {
    "site/home.md": "index.md",
    "README.md": "project.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security-policy.md",
    "docker/README.md": "docker.md",
    "docker/monitoring/README.md": "monitoring-files.md",
}
# The site's navigation does what the index of docs/ does on GitHub.
SITE_OF = {**ELSEWHERE, "docs/README.md": "index.md"}
PROJECT_OF = {site: project for project, site in ELSEWHERE.items()}

LINK = re.compile(r"(\]\()([^()\s]+)(\))")
FENCE = re.compile(r"^ *(```|~~~)")
ITEM = re.compile(r"^( *)([-*+]|\d+\.)( +)(?=\S)")
CONTENTS = re.compile(r"(?m)^(?:- \[[^\]\n]+\]\(#[^\n]*\n(?: +[^\n]*\n)*)+")
CODE_SPAN = re.compile(r"(`+)(?:(?!\1).)*?\1", re.S)


SETTING = re.compile(r'<h4 id="([^"]+)">(<code>.*?</code>)(?:<a class="headerlink".*?</a>)?</h4>\s*<p>(.*?)</p>\s*<p>(.*?)</p>', re.S)
NAME = re.compile(r"<code>.*?</code>|(?<![\w.$])[a-z]+(?:\.[a-z]+)+", re.S)
INLINE = re.compile(r"(<pre.*?</pre>)|<code>([^<]*)</code>", re.S)
WORD = re.compile(r"(?<!\S)\S{2,22}(?!\S)")


def words(code):
    """A browser breaks lines behind hyphens: `-` and `-set`, `records-` and `total`."""
    return code[1] or "<code>" + WORD.sub(r'<span class="word">\g<0></span>', code[2]) + "</code>"


def on_page_content(html, page, config, files):
    if SETTING.search(html):
        html = html.replace("<h3", "<h2").replace("</h3>", "</h2>")
    anchors = {re.sub("<.*?>", "", setting[2]): setting[1] for setting in SETTING.finditer(html)}

    def linked(text):
        return NAME.sub(lambda name: f'<a href="#{anchors[name[0]]}"><code>{name[0]}</code></a>' if name[0] in anchors else name[0], text)

    return SETTING.sub(lambda setting: f'<section class="setting"><h3 id="{setting[1]}">{setting[2]}'
                       f'<a class="headerlink" href="#{setting[1]}" title="Permanent link">&para;</a></h3>'
                       f'<p class="values">{setting[3]}</p><p class="about">{linked(setting[4])}</p></section>', INLINE.sub(words, html))


def on_files(files, config):
    for project, site in ELSEWHERE.items():
        with open(os.path.join(PROJECT, project), encoding="utf-8") as page:
            files.append(File.generated(config, site, content=page.read()))
    return files


def project_path(page):
    site = page.file.src_uri
    return PROJECT_OF.get(site, "docs/" + site)


def on_page_markdown(markdown, page, config, files):
    here = project_path(page)
    markdown = CONTENTS.sub("", markdown, count=1)
    return outside_code(lists(markdown), lambda text: LINK.sub(
        lambda link: link[1] + address(link[2], here, page, config) + link[3], text))


def address(link, here, page, config):
    if re.match(r"[a-z]+:|#", link):
        return link
    path, hash_sign, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
    if target in SITE_OF or (target.startswith("docs/") and os.path.isfile(os.path.join(PROJECT, target))):
        site = SITE_OF.get(target, target[len("docs/"):])
        if target == "docs/README.md":
            hash_sign = anchor = ""
        return posixpath.relpath(site, posixpath.dirname(page.file.src_uri) or ".") + hash_sign + anchor
    if not os.path.exists(os.path.join(PROJECT, target)):
        # MkDocs reports it.
        return link
    if target in ("docker", "docs"):
        return address(posixpath.relpath(target + "/README.md", posixpath.dirname(here) or ".") + hash_sign + anchor, here, page, config)
    return f"{config.extra['repository']}/blob/{os.environ.get('REVISION', 'HEAD')}/{target}{hash_sign}{anchor}"


def outside_code(markdown, change):
    """Applies a change to the text that is neither a fenced block nor a code span."""
    out, text, fence = [], [], None

    def flush():
        joined = "".join(text)
        text.clear()
        last = 0
        for span in CODE_SPAN.finditer(joined):
            # A link's text may be code, so what is around a span is changed together.
            if joined[span.end():span.end() + 2] == "](":
                continue
            out.append(change(joined[last:span.start()]))
            out.append(span[0])
            last = span.end()
        out.append(change(joined[last:]))

    for line in markdown.splitlines(keepends=True):
        mark = FENCE.match(line)
        if mark and fence is None:
            flush()
            fence = mark[1]
            out.append(line)
        elif fence is not None:
            out.append(line)
            if mark and mark[1] == fence:
                fence = None
        else:
            text.append(line)
    flush()
    return "".join(out)


def lists(markdown):
    """Indents nested lists, and what belongs to an item, by four blanks for each level, and puts an empty line before a list."""
    out, stack, fence, before = [], [], None, ""
    for line in markdown.splitlines():
        blank = not line.strip()
        indent = len(line) - len(line.lstrip(" "))
        item = ITEM.match(line) if fence is None else None
        if fence is None and not blank:
            if item:
                while stack and indent < stack[-1][1]:
                    stack.pop()
                if not stack and before.strip() and not before.lstrip().startswith(("|", "<!--")) or \
                        stack and before.strip() and not ITEM.match(before) and not_of_list(before, stack):
                    out.append("")
                stack.append((indent, indent + len(item[2]) + len(item[3])))
            else:
                while stack and indent < stack[-1][1] and (before == "" or FENCE.match(line) or line[:1] in "#|"):
                    stack.pop()
        depth = len(stack) - 1 if item else len(stack)
        taken = stack[-1][0] if item else (stack[-1][1] if stack else 0)
        out.append("" if blank else " " * (4 * depth) + line[min(taken, indent):] if stack else line)
        mark = FENCE.match(line)
        if mark:
            fence = mark[1] if fence is None else (None if mark[1] == fence else fence)
        before = line
    return "\n".join(out) + "\n"


def not_of_list(line, stack):
    return len(line) - len(line.lstrip(" ")) < stack[0][1]

