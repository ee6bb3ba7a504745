import { controls } from "./elements.ts";

/** Sets the controls of a form to the choices in the address of the page. @param part distinguishes the forms of a page */
export function restoreChoices(form: HTMLFormElement, part = ""): void {
  const query = new URLSearchParams(location.search);
  for (const one of controls(form)) {
    const values = query.getAll(part + one.name);
    if (one instanceof HTMLSelectElement) {
      const known = [...one.options].filter(({ value }) => values.includes(value));
      if (known.length > 0) for (const option of one.options) option.selected = known.includes(option);
    } else if (one.type === "checkbox") one.checked = values.includes(one.value);
    else one.value = values.at(-1) ?? one.value;
  }
}

/** Puts the choices that differ from the first ones into the address, so that a link shows the same. */
export function keepChoices(form: HTMLFormElement, part = "", hash = location.hash): void {
  const query = new URLSearchParams(location.search);
  for (const one of controls(form)) {
    query.delete(part + one.name);
    for (const value of chosenValues(one)) query.append(part + one.name, value);
  }
  history.replaceState(null, "", `${location.pathname}${query.size === 0 ? "" : `?${query}`}${hash}`);
}

function chosenValues(one: HTMLInputElement | HTMLSelectElement): readonly string[] {
  if (one instanceof HTMLInputElement) {
    const isChosen = one.type === "checkbox" ? one.checked : one.value !== "";
    return isChosen ? [one.value] : [];
  }
  const usual = [...one.options].find(({ defaultSelected }) => defaultSelected) ?? one.options[0];
  return one.value === usual?.value ? [] : [one.value];
}
