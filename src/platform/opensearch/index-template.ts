import { readFile } from "node:fs/promises";
import { z } from "zod";

const TEMPLATES_FOLDER = new URL("../../../index-templates/", import.meta.url);

/** The prefix in the files, which an operator can also send by hand. */
const PREFIX_IN_FILES = "similarity-";

const TemplateFile = z.looseObject({
  index_patterns: z.array(z.string().startsWith(PREFIX_IN_FILES)),
  composed_of: z.array(z.string().startsWith(PREFIX_IN_FILES)).optional(),
  template: z.looseObject({
    settings: z.looseObject({ index: z.looseObject({}) }),
    mappings: z.record(z.string(), z.unknown()),
  }),
});

const Settings = z.record(z.string(), z.unknown());

/** Reads an index template with the prefix of this installation. @param indexSettings replace those in the file. */
export async function readIndexTemplate(
  name: string,
  prefix: string,
  indexSettings: Readonly<Record<string, unknown>> = {},
) {
  const { template, composed_of: components, ...file } = TemplateFile.parse(await readJson(name));
  const renamed = (full: string) => `${prefix}${full.slice(PREFIX_IN_FILES.length)}`;
  return {
    ...file,
    index_patterns: file.index_patterns.map(renamed),
    template: {
      ...template,
      settings: { ...template.settings, index: { ...template.settings.index, ...indexSettings } },
    },
    ...(components !== undefined && { composed_of: components.map(renamed) }),
  };
}

/** A component template with only the settings in a file. @param indexSettings are added: OpenSearch checks each template by itself. */
export async function readSettingsComponent(name: string, indexSettings: Readonly<Record<string, unknown>>) {
  return { template: { settings: { ...Settings.parse(await readJson(name)), ...indexSettings } } };
}

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`${name}.json`, TEMPLATES_FOLDER), "utf8"));
}
