import { useState } from "preact/hooks";
import type { CorpusDocument } from "../../../client/index.ts";
import { announce } from "../shared/announce.ts";
import { engine } from "../shared/engine.ts";
import { focusNeighbour } from "../shared/lists/focus-neighbour.ts";
import { Listing } from "../shared/lists/listing.tsx";
import { pageOfList, useListQuery } from "../shared/lists/use-list-query.ts";
import { mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/parts/empty-state.tsx";
import { useLoaded } from "../shared/state/use-loaded.ts";
import { useRefreshed } from "../shared/state/use-refreshed.ts";
import { counted } from "../shared/wording/numbers.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { DocumentRow } from "./document-row.tsx";
import { UploadPanel } from "./uploads/upload-panel.tsx";
import "./corpus.css";

function CorpusPage() {
  const query = useListQuery();
  const asked = pageOfList(query);
  const loaded = useLoaded(JSON.stringify(asked), (signal) => engine.listDocuments(asked, { signal }));
  const stats = useLoaded("stats", (signal) => engine.getCheckStats({ signal }));
  const { value, reload, refresh, change } = loaded;
  const [doomed, setDoomed] = useState<CorpusDocument>();
  const reloadAll = () => {
    reload();
    stats.reload();
  };
  useRefreshed(
    value?.items.some(({ fingerprint_status }) => fingerprint_status === "pending") ?? false,
    refresh,
  );

  const forget = ({ document_id: id, title }: CorpusDocument) => {
    setDoomed(undefined);
    focusNeighbour(document.querySelector(`[data-id="${id}"]`));
    change((list) => ({
      ...list,
      total: list.total - 1,
      items: list.items.filter((row) => row.document_id !== id),
    }));
    stats.reload();
    announce(`${title} is deleted.`);
  };

  return (
    <>
      <h1>Corpus</h1>
      <p class="lead">
        {stats.value === undefined
          ? "Every check is compared with all documents of this instance."
          : `Every check is compared with ${counted(stats.value.total_sources, "document")}.`}{" "}
        Those that were uploaded are listed here. Documents that an operator has ingested from folders are
        searched as well, but not listed.
      </p>
      <UploadPanel onTaken={reloadAll} />
      <Listing
        loaded={loaded}
        query={query}
        noun="document"
        whenEmpty={
          <EmptyState title="Nothing was uploaded yet">
            <p>Choose files above, or drop them on this page.</p>
          </EmptyState>
        }
        row={(one) => <DocumentRow key={one.document_id} document={one} onDelete={() => setDoomed(one)} />}
      />
      {doomed !== undefined && (
        <DeleteDialog
          document={doomed}
          onDeleted={() => forget(doomed)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

mount(<CorpusPage />);
