import { useEffect, useState } from "preact/hooks";
import type { CorpusDocumentWithText } from "../../../client/index.ts";
import { engine } from "../shared/engine.ts";
import { mount } from "../shared/mount.tsx";
import { ErrorNotice } from "../shared/parts/notice.tsx";
import { useLoaded } from "../shared/state/use-loaded.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { DocumentFacts } from "./document-facts.tsx";
import { TextView } from "./text-view.tsx";
import "./document.css";

function DocumentPage({ documentId }: { readonly documentId: string }) {
  const { value, error, reload } = useLoaded(documentId, (signal) =>
    engine.getDocument(documentId, { signal }),
  );
  return (
    <>
      <p class="way-back">
        <a href="/corpus">Corpus</a>
      </p>
      {value === undefined && <h1>Document</h1>}
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {value !== undefined && <WholeDocument document={value} />}
      {value === undefined && error === undefined && <p class="quiet">Reading the document…</p>}
    </>
  );
}

function WholeDocument({ document: shown }: { readonly document: CorpusDocumentWithText }) {
  const [isDeleting, setIsDeleting] = useState(false);
  useEffect(() => {
    document.title = `${shown.title} · Similarity Check`;
  }, [shown.title]);
  return (
    <>
      <div class="document-head">
        <h1 dir="auto">{shown.title}</h1>
        <button type="button" class="small" onClick={() => setIsDeleting(true)}>
          Delete
        </button>
      </div>
      <DocumentFacts document={shown} />
      <section class="document-sheet" aria-labelledby="text-title">
        <h2 id="text-title">Text, as it was read from the file</h2>
        <TextView text={shown.extracted_text} language={shown.language} />
      </section>
      {isDeleting && (
        <DeleteDialog
          document={shown}
          onDeleted={() => location.assign("/corpus")}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  );
}

mount(<DocumentPage documentId={location.pathname.split("/").at(-1) ?? ""} />);
