import { JUDGEMENT_ADVICE, JUDGEMENT_TITLE } from "../../../reports/wording.ts";

/** Beside a score, which readers may take for a verdict. */
export function JudgementAdvice() {
  return (
    <details class="quiet advice">
      <summary>{JUDGEMENT_TITLE}</summary>
      <p>{JUDGEMENT_ADVICE}</p>
    </details>
  );
}
