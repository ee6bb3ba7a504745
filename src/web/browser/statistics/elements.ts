// Builds and finds elements. Markup is never written, so that no text of an answer can become any.

type Attributes = Readonly<Record<string, string | number>>;
type Child = Node | string;

/** An HTML element with attributes and children; strings become text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return fitOut(document.createElement(name), attributes, children);
}

/** The same of SVG. */
export function shape<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return fitOut(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

export type Cell = Child;

/** A row of a table. The first cell is its heading; the cells of `numeric` columns hold numbers. */
export function tableRow(cells: readonly Cell[], numeric: readonly number[] = []): HTMLTableRowElement {
  const built = cells.map((content, index) =>
    element(
      index === 0 ? "th" : "td",
      { ...(index === 0 && { scope: "row" }), ...(numeric.includes(index) && { class: "number" }) },
      content,
    ),
  );
  return element("tr", {}, ...built);
}

function fitOut<E extends Element>(node: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** The first element of the page that a selector names, or of a part of it. @throws Error when the page lacks it */
export function find(selector: string, within: ParentNode = document): HTMLElement {
  return findOf(HTMLElement, selector, within);
}

/** The same, of a kind of element. */
export function findOf<E extends Element>(
  kind: abstract new () => E,
  selector: string,
  within: ParentNode = document,
): E {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${selector}`);
}

/** All elements of the page that a selector names, or of a part of it. */
export function findAll(selector: string, within: ParentNode = document): NodeListOf<HTMLElement> {
  return within.querySelectorAll<HTMLElement>(selector);
}

type Control = HTMLInputElement | HTMLSelectElement;

/** A control of a form, where the form has one of that name. */
export function control(form: HTMLFormElement, name: string): Control | undefined {
  const found = form.elements.namedItem(name);
  return isControl(found) ? found : undefined;
}

/** The controls of a form that have a value: its buttons are left out. */
export function controls(form: HTMLFormElement): readonly Control[] {
  return [...form.elements].filter(isControl);
}

function isControl(node: Element | RadioNodeList | null): node is Control {
  return node instanceof HTMLInputElement || node instanceof HTMLSelectElement;
}

/** Whether a box of a form is ticked. */
export function isChecked(form: HTMLFormElement, name: string): boolean {
  const found = control(form, name);
  return found instanceof HTMLInputElement && found.checked;
}
