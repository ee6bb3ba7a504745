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
import { languageName, say, sayCount, sayParts, texts } from "../shared/texts.ts";
import { useLoaded, useRefreshed } from "../shared/use-loaded.ts";
import { bytes } from "../shared/wording.ts";
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
        <a href="/corpus">{say("nav.corpus")}</a>
      </p>
      {value === undefined && <h1>{say("nav.documentTitle")}</h1>}
      {(value === undefined || error !== undefined) && (
        <Pending text={say("report.loadingDocument")} error={error} reload={reload} />
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
        <SmallButton onClick={() => setIsDeleting(true)}>{say("common.delete")}</SmallButton>
      </div>
      <Facts document={shown} onCorrected={onCorrected} />
      <section class="document-sheet" aria-labelledby="text-title">
        <h2 id="text-title">{say("corpus.extracted")}</h2>
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

const FACT_NAMES = {
  owner: say("submit.person"),
  group: say("submit.group"),
  collection: say("corpus.collection"),
} as const;

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
        <Fact name={say("checks.status")}>
          <DocumentStatus document={document} reason={reason} />
        </Fact>
        <Fact name={say("corpus.byMeaning")}>{meaningStatus({ document, reason })}</Fact>
        {url !== null && (
          <Fact name={say("corpus.sourceUrl")}>
            <ExternalLink href={url} />
          </Fact>
        )}
        <Fact name={say("corpus.fileName")}>
          <bdi>{document.filename}</bdi>
        </Fact>
        {document.author !== undefined && (
          <Fact name={say("properties.author")}>
            <bdi>{document.author}</bdi>
          </Fact>
        )}
        <Fact name={say("corpus.fileType")}>
          {fileTypeName(document.media_type)} · {bytes(document.size_bytes)}
        </Fact>
        <Fact name={say("common.language")}>
          {languageName(document.language)}
          {languageOriginInWords(document.language_origin, texts)}{" "}
          <CorrectLanguage document={document} onCorrected={onCorrected} />
        </Fact>
        <Fact name={say("pdf.length")}>
          {sayCount("count.words", document.word_count)} · {sayCount("count.characters", document.char_count)}
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
        <Fact name={say("corpus.added")}>
          <Timestamp at={document.created_at} />
        </Fact>
      </dl>
      <details>
        <summary>{say("corpus.technical")}</summary>
        <p>{sayParts("corpus.hash", { hash: <code>{document.sha256}</code> })}</p>
      </details>
    </>
  );
}

function CorrectLanguage({ document, onCorrected }: FactsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <SmallButton onClick={() => setIsOpen(true)}>{say("corpus.changeLanguage")}</SmallButton>
      {isOpen && (
        <LanguageDialog
          title={say("corpus.changeLanguage")}
          explanation={say("corpus.changeText")}
          action={say("common.save")}
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
