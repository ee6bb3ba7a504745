import { readFile } from "node:fs/promises";
import { z } from "zod";

const TEMPLATES_FOLDER = new URL("../../../index-templates/", import.meta.url);

/** The prefix that the files themselves have, so that an operator can send them by hand as they are. */
const PREFIX_IN_FILES = "similarity-";

const TemplateFile = z.looseObject({
  index_patterns: z.array(z.string().startsWith(PREFIX_IN_FILES)),
  composed_of: z.array(z.string().startsWith(PREFIX_IN_FILES)).optional(),
});

const Settings = z.record(z.string(), z.unknown());

export type SettingsComponent = { readonly template: { readonly settings: Record<string, unknown> } };

/** An index template from its file, its patterns and parts under the prefix of this installation. */
export async function readIndexTemplate(name: string, prefix: string): Promise<Record<string, unknown>> {
  const file = TemplateFile.parse(await readJson(name));
  const renamed = (full: string) => `${prefix}${full.slice(PREFIX_IN_FILES.length)}`;
  return {
    ...file,
    index_patterns: file.index_patterns.map(renamed),
    ...(file.composed_of !== undefined && { composed_of: file.composed_of.map(renamed) }),
  };
}

/** A component template holding nothing but the settings in a file. */
export async function readSettingsComponent(name: string): Promise<SettingsComponent> {
  return { template: { settings: Settings.parse(await readJson(name)) } };
}

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`${name}.json`, TEMPLATES_FOLDER), "utf8"));
}
