/**
 * Moves the focus to the row after this one, or before it when it is the last, so that it is not lost with the row. Without
 * another row it goes to the page.
 * @param row an element within a list of rows, which is about to go
 */
export function focusNeighbour(row: Element | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = neighbour?.querySelector<HTMLElement>("a, button") ?? document.getElementById("page");
  // Once the dialog has closed, which gives the focus back to where it was: to a button of the row that goes.
  setTimeout(() => target?.focus());
}
