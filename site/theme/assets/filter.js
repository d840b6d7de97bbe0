// Puts a field over a long reference page that shows only the settings, or the rows of its tables, with all the words that are typed.
// Its text is kept in the address (?rows=), so that a link can lead to what it shows.
(() => {
  const page = document.querySelector("article.md-content__inner");
  const rows = page ? [...page.querySelectorAll("section.setting, table tbody tr")] : [];
  if (rows.length < 20 || !location.pathname.includes("/reference/")) return;

  const box = document.createElement("div");
  box.className = "filter";
  const field = Object.assign(document.createElement("input"), {
    type: "search", placeholder: "Show only what has these words …", ariaLabel: "Show only what has these words",
  });
  const count = document.createElement("output");
  box.append(field, count);
  page.querySelector("h1").after(box);

  // While words are typed, only fitting settings, and tables with fitting rows, are shown, and the headings over them.
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    let heading;
    for (const part of page.children) {
      if (part === box || part.tagName === "H1") continue;
      if (part.matches("section.setting")) {
        if (!part.hidden && heading && words.length > 0) heading.hidden = false;
        continue;
      }
      // Settings of both sinks are links to the page that has them.
      const leads = part.tagName === "P" && [...part.querySelectorAll("a code")].some(
        link => words.every(word => link.textContent.toLowerCase().includes(word)));
      part.hidden = words.length > 0 && !leads;
      if (words.length > 0 && leads && heading) heading.hidden = false;
      if (/^H[2-6]$/.test(part.tagName)) heading = part;
      if (words.length > 0 && [...part.querySelectorAll("tbody tr")].some(row => !row.hidden)) {
        part.hidden = false;
        if (heading) heading.hidden = false;
      }
    }
    count.textContent = words.length ? `${shown} of ${rows.length}` : "";
    const address = new URL(location);
    words.length ? address.searchParams.set("rows", field.value) : address.searchParams.delete("rows");
    history.replaceState(null, "", address);
  };
  field.addEventListener("input", () => {
    show();
    // The first of what is shown is read first.
    const above = page.querySelector("h1").getBoundingClientRect().bottom;
    if (above < 0) scrollBy(0, above - 48);
  });
  // A link to what the words hide shows everything again.
  const reach = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.offsetParent !== null) return;
    field.value = "";
    show();
    target.scrollIntoView();
  };
  addEventListener("hashchange", reach);
  field.value = new URL(location).searchParams.get("rows") || "";
  if (field.value) show();
  reach();
})();
