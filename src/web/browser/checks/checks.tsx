import { useState } from "preact/hooks";
import type { CheckRow as Row } from "../../../client/index.ts";
import { announce } from "../shared/announce.ts";
import { engine } from "../shared/engine.ts";
import { focusNeighbour } from "../shared/lists/focus-neighbour.ts";
import { Listing } from "../shared/lists/listing.tsx";
import { pageOfList, useListQuery } from "../shared/lists/use-list-query.ts";
import { mount } from "../shared/mount.tsx";
import { isGoingOn } from "../shared/parts/check-outcome.tsx";
import { ConfirmDialog } from "../shared/parts/confirm-dialog.tsx";
import { EmptyState } from "../shared/parts/empty-state.tsx";
import { useLoaded } from "../shared/state/use-loaded.ts";
import { useRefreshed } from "../shared/state/use-refreshed.ts";
import { unlessGone } from "../shared/unless-gone.ts";
import { checkName } from "../shared/wording/check-name.ts";
import { CheckRow } from "./check-row.tsx";

function ChecksPage() {
  const query = useListQuery();
  const asked = pageOfList(query);
  const loaded = useLoaded(JSON.stringify(asked), (signal) => engine.listChecks(asked, { signal }));
  const { value, refresh, change } = loaded;
  const [doomed, setDoomed] = useState<Row>();
  useRefreshed(value?.items.some(isGoingOn) ?? false, refresh);

  const rename = async (check: Row, title: string | null) => {
    const renamed = await engine.renameCheck(check.check_id, { title });
    change((list) => ({
      ...list,
      items: list.items.map((row) => (row.check_id === check.check_id ? { ...row, ...renamed } : row)),
    }));
    announce(title === null ? "The title is gone." : `Renamed to ${title}.`);
  };

  const remove = async (check: Row) => {
    await unlessGone(engine.deleteCheck(check.check_id));
    setDoomed(undefined);
    focusNeighbour(document.querySelector(`[data-id="${check.check_id}"]`));
    change((list) => ({
      ...list,
      total: list.total - 1,
      items: list.items.filter((row) => row.check_id !== check.check_id),
    }));
    announce(`${checkName(check)} is deleted.`);
  };

  return (
    <>
      <h1>Checks</h1>
      <Listing
        loaded={loaded}
        query={query}
        noun="check"
        whenEmpty={
          <EmptyState title="No checks yet">
            <p>
              <a href="/">Check a text</a>, and it is listed here with what was found.
            </p>
          </EmptyState>
        }
        row={(check) => (
          <CheckRow
            key={check.check_id}
            check={check}
            onRename={(title) => rename(check, title)}
            onDelete={() => setDoomed(check)}
          />
        )}
      />
      {doomed !== undefined && (
        <ConfirmDialog
          title="Delete this check?"
          action="Delete"
          onConfirm={() => remove(doomed)}
          onClose={() => setDoomed(undefined)}
        >
          <p>
            <bdi>{checkName(doomed)}</bdi>
          </p>
          <p>
            Its text and its report are deleted for good, and links to them stop working.
            {isGoingOn(doomed) && " The check stops."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

mount(<ChecksPage />);
