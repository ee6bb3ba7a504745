import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CorpusDocument, CorpusDocumentWithText } from "../../../client/index.ts";
import { languageOriginInWords } from "../../../report/wording.ts";
import { ExternalLink, SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { LanguageDialog } from "../shared/language-field.tsx";
import { mount, usePageTitle } from "../shared/mount.tsx";
import { Pending } from "../shared/notice.tsx";
import { blockLines, textBlocks } from "../shared/text-blocks.ts";
import { languageName, texts } from "../shared/texts.ts";
import { useLoaded, useRefreshed } from "../shared/use-loaded.ts";
import { bytes, counted } from "../shared/wording.ts";
import {
  DeleteDocumentDialog,
  DocumentStatus,
  fileTypeName,
  meaningStatus,
  useCoverage,
} from "./documents.tsx";
import "./corpus.css";

function DocumentPage({ documentId }: { readonly documentId: string }) {
  const loaded = useLoaded(documentId, (signal) => engine.getDocument(documentId, { signal }));
  const { value, error, reload, refresh } = loaded;
  useRefreshed(value?.fingerprint_status === "pending", refresh);
  const correct = (corrected: CorpusDocument) => loaded.change((before) => ({ ...before, ...corrected }));
  return (
    <>
      <p class="breadcrumb">
        <a href="/corpus">Corpus</a>
      </p>
      {value === undefined && <h1>Document</h1>}
      {(value === undefined || error !== undefined) && (
        <Pending text="Loading the document…" error={error} reload={reload} />
      )}
      {value !== undefined && <LoadedDocument document={value} onCorrected={correct} />}
    </>
  );
}

type LoadedDocumentProps = {
  readonly document: CorpusDocumentWithText;
  readonly onCorrected: (corrected: CorpusDocument) => void;
};

function LoadedDocument({ document: shown, onCorrected }: LoadedDocumentProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  usePageTitle(shown.title);
  return (
    <>
      <div class="page-head">
        <h1 dir="auto">{shown.title}</h1>
        <SmallButton onClick={() => setIsDeleting(true)}>Delete</SmallButton>
      </div>
      <Facts document={shown} onCorrected={onCorrected} />
      <section class="document-sheet" aria-labelledby="text-title">
        <h2 id="text-title">Extracted text</h2>
        <DocumentText text={shown.extracted_text} language={shown.language} />
      </section>
      {isDeleting && (
        <DeleteDocumentDialog
          document={shown}
          onDeleted={() => location.assign("/corpus")}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  );
}

const FACT_NAMES = { owner: "Person", group: "Group", collection: "Collection" } as const;

type FactsProps = {
  readonly document: CorpusDocument;
  readonly onCorrected: (corrected: CorpusDocument) => void;
};

function Facts({ document, onCorrected }: FactsProps) {
  const { source_url: url } = document;
  const reason = useCoverage().value?.semantic_coverage_reason;
  return (
    <>
      <dl class="facts">
        <Fact name="Status">
          <DocumentStatus document={document} reason={reason} />
        </Fact>
        <Fact name="By meaning">{meaningStatus({ document, reason })}</Fact>
        {url !== null && (
          <Fact name="Source URL">
            <ExternalLink href={url} />
          </Fact>
        )}
        <Fact name="File name">
          <bdi>{document.filename}</bdi>
        </Fact>
        <Fact name="File type">
          {fileTypeName(document.media_type)}, {bytes(document.size_bytes)}
        </Fact>
        <Fact name="Language">
          {languageName(document.language)}
          {languageOriginInWords(document.language_origin, texts)}{" "}
          <CorrectLanguage document={document} onCorrected={onCorrected} />
        </Fact>
        <Fact name="Length">
          {counted(document.word_count, "word")}, {counted(document.char_count, "character")}
        </Fact>
        {(["owner", "group", "collection"] as const).map((member) => {
          const value = document[member];
          return (
            value !== undefined && (
              <Fact key={member} name={FACT_NAMES[member]}>
                <bdi>{value}</bdi>
              </Fact>
            )
          );
        })}
        <Fact name="Added">
          <Timestamp at={document.created_at} />
        </Fact>
      </dl>
      <details>
        <summary>Technical details</summary>
        <p>
          SHA-256 of the file: <code>{document.sha256}</code>
        </p>
      </details>
    </>
  );
}

function CorrectLanguage({ document, onCorrected }: FactsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <SmallButton onClick={() => setIsOpen(true)}>Change language</SmallButton>
      {isOpen && (
        <LanguageDialog
          title="Change the language"
          explanation="The document is indexed again in its language. It stays in the corpus, and earlier reports keep their passages."
          action="Save"
          language={document.language}
          onChosen={async (language) => {
            onCorrected(await engine.correctDocumentLanguage(document.document_id, { language }));
            setIsOpen(false);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Several screens, because nothing in the text is marked: a document of 20 million characters has 5,000 blocks. */
const BLOCK_CHARS_MAX = 4_000;

/** The width of the text on a wide screen, close enough for blocks that are not visible yet. */
const LINE_EMS = 40;

/** A text of any length. The browser lays out only the visible blocks, but its own search finds all of them. */
function DocumentText({ text, language }: { readonly text: string; readonly language: string }) {
  const blocks = useMemo(() => textBlocks(text, BLOCK_CHARS_MAX), [text]);
  return (
    <div class="document-text" lang={language}>
      {blocks.map((block) => (
        <div
          key={block.start}
          class="text-block"
          dir="auto"
          style={{ containIntrinsicBlockSize: `auto ${blockLines(text, block, LINE_EMS)}lh` }}
        >
          {text.slice(block.start, block.end)}
        </div>
      ))}
    </div>
  );
}

mount(<DocumentPage documentId={location.pathname.split("/").at(-1) ?? ""} />);
