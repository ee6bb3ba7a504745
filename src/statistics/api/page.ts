import type { z } from "zod";
import { type Cell, toCsv } from "../../http/csv.ts";
import { type Answer, toAnswer } from "./answer.ts";
import { licenseLink, type MetaFacts, presentMeta } from "./meta.ts";
import type { Meta } from "./schema/envelope.ts";

export type Format = "json" | "csv";

/** The bytes of an answer in JSON: the envelope with what it says. */
export function jsonAnswer(facts: MetaFacts, data: unknown): Answer {
  return envelopeAnswer(presentMeta(facts), data);
}

/** A table in either format: the same rows in the same order, with the same numbers. */
export function tableAnswer<C extends string>(
  format: Format,
  facts: MetaFacts,
  {
    columns,
    rows,
  }: { readonly columns: readonly C[]; readonly rows: readonly { readonly [c in C]: Cell }[] },
): Answer {
  const meta = presentMeta(facts);
  if (format === "json") return envelopeAnswer(meta, rows);
  return toAnswer(toCsv(columns, rows), {
    type: "text/csv; charset=utf-8; header=present",
    link: licenseLink(meta.attribution),
    filename: filenameOf(facts),
  });
}

/** A table has no room for caveats: of the synthetic set, its name says what it is. */
function filenameOf({ topic, dataset, window }: MetaFacts): string {
  const parts = [...(dataset.isDemo ? ["demo"] : []), topic, window?.id ?? "empty"];
  return `${parts.join("-")}.csv`;
}

function envelopeAnswer(meta: z.output<typeof Meta>, data: unknown): Answer {
  return toAnswer(JSON.stringify({ meta, data }), {
    type: "application/json; charset=utf-8",
    link: licenseLink(meta.attribution),
  });
}
