import { parseArgs } from "node:util";
import { STYLES } from "../measure/match-groups/labelled-set.ts";
import { confusion, judgedPassages, scoreOfNeither } from "../measure/match-groups/score.ts";

const { values } = parseArgs({ options: { errors: { type: "boolean", default: false } } });

for (const half of ["fit", "report"] as const) {
  const judged = judgedPassages(half);
  console.log(`\n${half === "fit" ? "Half for fitting" : "Half for reporting"}`);
  for (const [name, own] of [
    ["all", judged] as const,
    ...STYLES.map((style) => [style, judged.filter((one) => one.style === style)] as const),
    ...(["en", "de", "fr", "es"] as const).map(
      (code) => [code, judged.filter(({ language }) => language === code)] as const,
    ),
  ]) {
    const { passages, precision, recall } = scoreOfNeither(own);
    console.log(
      `${name}: ${passages} passages, "neither" precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
  }
  for (const line of confusion(judged)) console.log(`  ${line}`);
  if (!values.errors) continue;
  for (const one of judged.filter(({ group, found }) => group !== found))
    console.log(
      `\n${one.style} ${one.language}: ${one.group}, found ${one.found}\n  ${one.form}\n  …${one.shown.replaceAll("\n", "⏎")}…`,
    );
}
