import { Parser } from "htmlparser2";

/** Names of elements without their prefixes, as words of one string. */
export type XmlRules = {
  /** Elements that end the line of text before and after them. */
  readonly blocks: string;
  /** Elements that are left out with their content. */
  readonly skipped: string;
  /** If given, only text in these elements counts. */
  readonly only?: string;
  /** Elements whose blocks follow the paragraph that holds them. */
  readonly notes?: string;
  /** Empty elements that stand for a character. */
  readonly characters?: Readonly<Record<string, string>>;
};

/** A paragraph that is being read, and the notes that will follow it. */
type Level = { text: string; readonly blocks: string[]; readonly notes: string[] };

/** The text of an XML document, its blocks divided by blank lines. Damaged XML gives the text that can be told. */
export function xmlText(
  xml: string,
  { blocks, skipped, only, notes = "", characters = {} }: XmlRules,
): string {
  const [isBlock, isSkipped, isNote] = [blocks, skipped, notes].map(matcher);
  const isOnly = only === undefined ? undefined : matcher(only);
  const character = new Map(Object.entries(characters));
  const levels: [Level, ...Level[]] = [newLevel()];
  const level = () => levels.at(-1) ?? levels[0];
  let skippedDepth = 0;
  let onlyDepth = 0;

  const parser = new Parser(
    {
      onopentag(tag) {
        const name = localName(tag);
        if (skippedDepth > 0 || isSkipped?.(name)) skippedDepth++;
        if (isOnly?.(name)) onlyDepth++;
        if (skippedDepth > 0) return;
        if (isBlock?.(name)) endBlock(level());
        if (isNote?.(name)) levels.push(newLevel());
        level().text += character.get(name) ?? "";
      },
      onclosetag(tag) {
        const name = localName(tag);
        if (isOnly?.(name)) onlyDepth--;
        if (skippedDepth > 0) {
          skippedDepth--;
          return;
        }
        if (isBlock?.(name)) endBlock(level());
        if (isNote?.(name) && levels.length > 1) {
          const note = levels.pop();
          if (note !== undefined) level().notes.push(...finish(note));
        }
      },
      ontext(text) {
        if (skippedDepth === 0 && (isOnly === undefined || onlyDepth > 0)) level().text += text;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return levels.toReversed().flatMap(finish).join("\n\n");
}

function newLevel(): Level {
  return { text: "", blocks: [], notes: [] };
}

function endBlock(level: Level): void {
  const text = level.text
    .replace(/[^\S\t\v]+/g, " ")
    .replaceAll("\v", "\n")
    .trim();
  if (text !== "") level.blocks.push(text);
  level.text = "";
  level.blocks.push(...level.notes.splice(0));
}

function finish(level: Level): readonly string[] {
  endBlock(level);
  return level.blocks;
}

function matcher(names: string): (name: string) => boolean {
  const set = new Set(names.split(" "));
  return (name) => set.has(name);
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(":") + 1);
}
