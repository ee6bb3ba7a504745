import { type Html, html } from "../../../http/html.ts";
import { code } from "../prose.ts";
import type { Schema } from "../reference/fields.ts";
import type { ValueType } from "../reference/schema-node.ts";
import type { Texts } from "../texts.ts";

/** A table of the fields of a schema. It is open at first but on narrow screens, where the page's script closes it. */
export function fieldTable(texts: Texts, schema: Schema): Html {
  const { fields: caption, field: name, meaning, optional } = texts.page.endpoints;
  const rows = schema.fields.map(
    (field) => html`<tr>
<th scope="row">${code(field.path)}<span class="type">${typeNames(texts, field.types)}${field.isRequired ? "" : ` · ${optional}`}</span></th>
<td>${texts.field(field)}${valueList(texts, field.values)}</td>
</tr>`,
  );
  const titleId = `schema-${schema.name}-title`;
  return html`<details class="fields" open><summary id="${titleId}">${texts.say(caption, { schema: code(schema.name) })}</summary>
<table id="schema-${schema.name}" aria-labelledby="${titleId}">
<thead><tr><th scope="col">${name}</th><th scope="col">${meaning}</th></tr></thead>
<tbody>${rows}</tbody>
</table>
</details>`;
}

/** What a value may be, in words; schemas lead to their tables. */
export function typeNames(texts: Texts, types: readonly ValueType[]): Html {
  const { or, listOf, types: names } = texts.page.endpoints;
  const known = new Map<string, string>(Object.entries(names));
  const named = types.map(({ name, isSchema, isList }) => {
    const word = isSchema
      ? html`<a href="#schema-${name}">${code(name)}</a>`
      : (known.get(name) ?? unnamed(name));
    return isList ? html`${listOf} ${word}` : html`${word}`;
  });
  return html`${named.map((one, index) => (index === 0 ? one : html` ${or} ${one}`))}`;
}

/** The only values that a field or a parameter may have; nothing where there is no such list. */
export function valueList(texts: Texts, values: readonly string[]): Html {
  if (values.length === 0) return html``;
  const spaced = values.map((value) => html` ${code(value)}`);
  return html` <span class="values">${texts.page.endpoints.values}${spaced}</span>`;
}

function unnamed(type: string): never {
  throw new Error(`the page has no word for the type ${type}`);
}
