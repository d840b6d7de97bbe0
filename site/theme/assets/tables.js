// A table with sentences is read as a list of cards on a narrow screen: each cell below the name of its column. Tables of short
// cells, such as measurements, stay tables and scroll.
(() => {
  const SENTENCE = 40;
  for (const table of document.querySelectorAll(".md-typeset table:not([class])")) {
    const cells = [...table.querySelectorAll("tbody td")];
    if (!cells.some(cell => cell.textContent.length > SENTENCE)) continue;
    const names = [...table.querySelectorAll("thead th")].map(head => head.textContent.trim());
    for (const cell of cells) {
      const name = names[cell.cellIndex];
      if (name && cell.cellIndex > 0 && cell.textContent.trim()) cell.dataset.column = name;
      if (!cell.textContent.trim()) cell.classList.add("empty");
    }
    // A row without a name belongs to the name above it.
    let above = "";
    for (const {cells: [first]} of table.tBodies[0].rows) {
      if (first.textContent.trim()) above = first.innerHTML;
      else if (above) { first.innerHTML = `<span class="above">${above}</span>`; first.classList.remove("empty"); }
    }
    table.dataset.sentences = "";
  }
})();
