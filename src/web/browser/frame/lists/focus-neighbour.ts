/**
 * Moves the focus to the row after this one, or before it when it is the last, so that it is not lost with the row. Without
 * another row it goes to the page.
 * @param row an element within a list of rows
 */
export function focusNeighbour(row: Element | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = neighbour?.querySelector<HTMLElement>("a, button") ?? document.getElementById("page");
  target?.focus();
}
