import { DomUtils } from "htmlparser2";
import { descendants, localName, type OaiElement, textOf } from "./oai-client.ts";

/** A file of a record; `type` is a media type or empty. */
export type OaiFile = { readonly url: string; readonly type: string };

/** What a record says of a work. */
type OaiWork = {
  readonly title: string;
  readonly descriptions: readonly string[];
  readonly language: string;
  /** The address at which the work is published. */
  readonly url: string;
  readonly files: readonly OaiFile[];
  /** Whether the files may be read by everybody, as far as the record says. */
  readonly isOpen: boolean;
};

/** The formats that say most, best first. `ore`, which lists files alone, is read beside Dublin Core. */
export const OAI_FORMATS = ["xoai", "oai_openaire", "oaire", "oai_dc"] as const;

/** Reads a record in one of `OAI_FORMATS`, by its elements. */
export function readOaiWork(metadata: OaiElement): OaiWork {
  const work = localName(metadata) === "metadata" ? ofXoai(metadata) : ofDublinCore(metadata);
  return { ...work, files: work.files.filter(isReadable) };
}

/** The files of a record in ORE (Atom): the resources that it aggregates. */
export function readOreFiles(metadata: OaiElement): OaiFile[] {
  return descendants(metadata, "link")
    .filter(({ attribs }) => attribs.rel?.endsWith("/ore/terms/aggregates"))
    .map(({ attribs }) => ({ url: attribs.href ?? "", type: attribs.type ?? "" }))
    .filter(isReadable);
}

/** Rights by which not everybody may read a work: of OpenAIRE, of COAR's vocabulary, and in words. */
const CLOSED =
  /info:eu-repo\/semantics\/(?:embargoed|restricted|closed)Access|access_right\/c_(?:16ec|14cb|f1cf)|^\s*(?:embargoed|restricted|closed|metadata[ -]only)(?:[ -]?access)?\s*$/i;

/** An embargo that has ended does not count. */
const EMBARGO_END = /info:eu-repo\/date\/embargoEnd\/(\d{4}-\d{2}-\d{2})/;

function isOpenTo(rights: readonly string[]): boolean {
  const end = rights.map((right) => EMBARGO_END.exec(right)?.[1]).find((date) => date !== undefined);
  if (end !== undefined) return Date.parse(end) <= Date.now();
  return !rights.some((right) => CLOSED.test(right));
}

/** Dublin Core, and OpenAIRE's format, whose elements have the same names or those of DataCite. */
function ofDublinCore(metadata: OaiElement): OaiWork {
  const values = (name: string) =>
    descendants(metadata, name)
      .map(textOf)
      .filter((text) => text !== "");
  const rights = descendants(metadata, "rights");
  const stated = descendants(metadata, "file").map((file) => ({
    url: textOf(file),
    type: file.attribs.mimeType ?? "",
  }));
  const addresses = [...values("identifier"), ...values("relation"), ...values("alternateIdentifier")].filter(
    isUrl,
  );
  const isPdf = values("format").some((format) => /pdf/i.test(format));
  return {
    title: values("title")[0] ?? "",
    descriptions: values("description"),
    language: languageCode(values("language")[0]),
    url: addresses.find((address) => !isReadable({ url: address, type: "" })) ?? addresses[0] ?? "",
    files:
      stated.length > 0 ? stated : addresses.map((url) => ({ url: isPdf ? galley(url) : url, type: "" })),
    isOpen: isOpenTo([
      ...rights.flatMap((right) => [textOf(right), right.attribs.rightsURI ?? "", right.attribs.uri ?? ""]),
      ...values("date"),
      ...descendants(metadata, "file").map((file) => file.attribs.accessRightsURI ?? ""),
    ]),
  };
}

/** The file behind the page on which Open Journal Systems shows it. */
function galley(url: string): string {
  return /\/article\/view\/\d+\/\d+$/.test(url)
    ? `${url.replace("/article/view/", "/article/download/")}#.pdf`
    : url;
}

/** DSpace's own format: elements within elements by their names, and values in fields. */
function ofXoai(metadata: OaiElement): OaiWork {
  const values = (...path: readonly string[]) => path.reduce(elementsNamed, [metadata]).flatMap(fieldValues);
  const bundles = path(metadata, "bundles", "bundle").filter(
    (bundle) => field(bundle, "name") === "ORIGINAL",
  );
  const bitstreams = bundles.flatMap((bundle) => path(bundle, "bitstreams", "bitstream"));
  return {
    title: values("dc", "title")[0] ?? "",
    descriptions: path(metadata, "dc", "description", "abstract").flatMap(fieldValues),
    language: languageCode(values("dc", "language")[0]),
    url: path(metadata, "dc", "identifier", "uri").flatMap(fieldValues).find(isUrl) ?? "",
    files: bitstreams.map((one) => ({ url: field(one, "url"), type: field(one, "format") })),
    isOpen: isOpenTo([...values("dc", "rights"), ...values("dcterms", "accessRights")]),
  };
}

function elementsNamed(parents: readonly OaiElement[], name: string): OaiElement[] {
  return parents.flatMap((parent) =>
    DomUtils.getChildren(parent).filter(
      (node): node is OaiElement =>
        DomUtils.isTag(node) && localName(node) === "element" && node.attribs.name === name,
    ),
  );
}

function path(parent: OaiElement, ...names: readonly string[]): OaiElement[] {
  return names.reduce(elementsNamed, [parent]);
}

/** All values below an element: qualifiers and languages are elements between. */
function fieldValues(element: OaiElement): string[] {
  return descendants(element, "field")
    .filter(({ attribs }) => attribs.name === "value")
    .map(textOf);
}

function field(element: OaiElement, name: string): string {
  const own = DomUtils.getChildren(element).find(
    (node): node is OaiElement =>
      DomUtils.isTag(node) && localName(node) === "field" && node.attribs.name === name,
  );
  return textOf(own);
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const READABLE_TYPE =
  /^(?:application\/(?:pdf|rtf|epub\+zip|vnd\.oasis\.opendocument\.text|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|presentationml\.presentation))|text\/(?:plain|html|rtf))\b/i;
const READABLE_NAME = /\.(?:pdf|docx|txt|odt|epub|rtf|pptx|html?)$/i;

/** Whether a file is of a type that can be read, by its media type or by its name. */
function isReadable({ url, type }: OaiFile): boolean {
  if (!isUrl(url)) return false;
  const { pathname, hash } = new URL(url);
  return READABLE_TYPE.test(type) || READABLE_NAME.test(pathname) || hash === "#.pdf";
}

/** "eng", "en_US" or "English" as ISO 639-1; empty when it can't be told. */
function languageCode(stated = ""): string {
  try {
    const { language } = new Intl.Locale(stated.trim().toLowerCase().replaceAll("_", "-"));
    return language.length === 2 ? language : "";
  } catch {
    return "";
  }
}
