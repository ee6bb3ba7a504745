// Builds elements without writing markup, so that no text of an answer can become any.

/** An HTML element with attributes and children; children that are no nodes become text. */
export function element(name, attributes = {}, ...children) {
  return fitOut(document.createElement(name), attributes, children);
}

/** The same of SVG. */
export function shape(name, attributes = {}, ...children) {
  return fitOut(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** A row of a table; the first cell is its heading, cells of `numeric` columns hold numbers. */
export function tableRow(cells, { numeric = [] } = {}) {
  const built = cells.map((content, index) =>
    element(
      index === 0 ? "th" : "td",
      { ...(index === 0 && { scope: "row" }), ...(numeric.includes(index) && { class: "number" }) },
      content,
    ),
  );
  return element("tr", {}, ...built);
}

function fitOut(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
