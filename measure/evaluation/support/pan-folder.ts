import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A pair of texts for a corpus; a passage is [query offset, query length, source offset, source length] in code points. */
export type FolderPair = {
  readonly className: string;
  readonly queryName: string;
  readonly sourceName: string;
  readonly passages: readonly (readonly [number, number, number, number])[];
};

export type PanFolderInput = {
  readonly queries: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly pairs: readonly FolderPair[];
};

/** Writes a corpus in PAN's layout into a new temporary folder and returns its path. */
export async function writePanFolder({ queries, sources, pairs }: PanFolderInput): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pan-corpus-"));
  for (const [name, texts] of [["susp", queries] as const, ["src", sources] as const]) {
    await mkdir(join(folder, name));
    for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, name, file), text);
  }
  for (const pair of pairs) {
    await mkdir(join(folder, pair.className), { recursive: true });
    await writeFile(join(folder, pair.className, xmlName(pair)), xmlOf(pair));
  }
  const lines = pairs.map(({ queryName, sourceName }) => `${queryName} ${sourceName}\n`);
  await writeFile(join(folder, "pairs"), lines.join(""));
  return folder;
}

function xmlName({ queryName, sourceName }: FolderPair): string {
  return `${queryName.slice(0, -4)}-${sourceName.slice(0, -4)}.xml`;
}

function xmlOf({ queryName, sourceName, passages }: FolderPair): string {
  const features = passages.map(
    ([queryAt, queryLength, sourceAt, sourceLength]) =>
      `<feature name="plagiarism" obfuscation="random" this_offset="${queryAt}" this_length="${queryLength}" ` +
      `source_reference="${sourceName}" source_offset="${sourceAt}" source_length="${sourceLength}" />\n`,
  );
  return `<document  reference="${queryName}">\n\t<feature  name="about" language="en" />\n${features.join("")}</document>\n`;
}
