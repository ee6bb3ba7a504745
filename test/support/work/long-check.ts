import type { EngineClient } from "../client.ts";
import { prose } from "./prose.ts";

/** The longest text that a check takes. */
const CHARS = 500_000;

/** With this many sources, each a text of its own and once more as a second edition, every passage has two. */
const TEXTS = 20;
const TEXT_WORDS = 12_000;

/** A passage of so many words after each stretch of own ones, and a new paragraph after so many passages. */
const COPIED_WORDS = 16;
const OWN_WORDS = 14;
const PARAGRAPH_PASSAGES = 7;

/** A check of 500,000 characters with some 4,000 passages of 40 sources. Gives its identifier and its text. */
export async function addLongCheck(
  client: EngineClient,
): Promise<{ readonly checkId: string; readonly text: string }> {
  const texts = Array.from({ length: TEXTS }, (_, index) => prose(9_000 + index, TEXT_WORDS));
  for (const [index, text] of texts.entries()) {
    await client.addDocument(`${index}.txt`, text, { title: `Source ${index}` });
    await client.addDocument(`${index}-2.txt`, `${text} Second edition.`, {
      title: `Source ${index}, again`,
    });
  }
  const text = composed(texts.map((one) => one.split(" ")));
  const checkId = await client.submit(text, { title: "As long as a check may be" });
  await client.ended(checkId);
  return { checkId, text };
}

function composed(sources: readonly (readonly string[])[]): string {
  const parts: string[] = [];
  for (let passage = 0, length = 0; length < CHARS; passage++) {
    const words = sources[passage % sources.length] ?? [];
    // A gap between two stretches of one source, or they would be one passage.
    const from = (Math.floor(passage / sources.length) * (COPIED_WORDS + 4)) % (words.length - COPIED_WORDS);
    const own = prose(50_000 + passage, OWN_WORDS);
    const copied = words.slice(from, from + COPIED_WORDS).join(" ");
    const end = passage % PARAGRAPH_PASSAGES === PARAGRAPH_PASSAGES - 1 ? "\n\n" : " ";
    parts.push(`${own} ${copied}${end}`);
    length += own.length + copied.length + 1 + end.length;
  }
  return parts.join("").slice(0, CHARS);
}
