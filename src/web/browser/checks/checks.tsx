import { useState } from "preact/hooks";
import type { CheckRow } from "../../../client/index.ts";
import { languageName } from "../../../reports/wording.ts";
import { CheckLink, CheckOutcome, isRunning } from "../shared/check-progress.tsx";
import { DeleteDialog } from "../shared/dialog.tsx";
import { SmallButton, Timestamp } from "../shared/elements.tsx";
import { engine, unlessGone } from "../shared/engine.ts";
import { Listing } from "../shared/listing.tsx";
import { announce, mount } from "../shared/mount.tsx";
import { EmptyState } from "../shared/notice.tsx";
import { TitleEditor, useFocusAfter } from "../shared/title-editor.tsx";
import { useList } from "../shared/use-list.ts";
import { checkName, counted } from "../shared/wording.ts";

function ChecksPage() {
  const list = useList<CheckRow>({
    load: (request, signal) => engine.listChecks(request, { signal }),
    idOf: ({ check_id }) => check_id,
    isPending: isRunning,
  });
  const [toDelete, setToDelete] = useState<CheckRow>();

  const rename = async ({ check_id: id }: CheckRow, title: string | null) => {
    list.update(id, await engine.renameCheck(id, { title }));
    announce(title === null ? "Title removed." : `Renamed to ${title}.`);
  };
  const remove = async (check: CheckRow) => {
    await unlessGone(engine.deleteCheck(check.check_id));
    setToDelete(undefined);
    list.remove(check.check_id);
    announce(`${checkName(check)} deleted.`);
  };

  return (
    <>
      <h1>Checks</h1>
      <Listing
        list={list}
        noun="check"
        whenEmpty={
          <EmptyState title="No checks yet">
            <p>
              <a href="/">Check a text</a> to see its result here.
            </p>
          </EmptyState>
        }
        row={(check) => (
          <Row
            key={check.check_id}
            check={check}
            onRename={(title) => rename(check, title)}
            onDelete={() => setToDelete(check)}
          />
        )}
      />
      {toDelete !== undefined && (
        <DeleteDialog
          title="Delete this check?"
          onDelete={() => remove(toDelete)}
          onClose={() => setToDelete(undefined)}
        >
          <p>
            <bdi>{checkName(toDelete)}</bdi>
          </p>
          <p>
            The text and its report will be permanently deleted, and links to them will stop working.
            {isRunning(toDelete) && " The check will be stopped."}
          </p>
        </DeleteDialog>
      )}
    </>
  );
}

type RowProps = {
  readonly check: CheckRow;
  readonly onRename: (title: string | null) => Promise<void>;
  readonly onDelete: () => void;
};

function Row({ check, onRename, onDelete }: RowProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const renameButton = useFocusAfter<HTMLButtonElement>(isRenaming);
  const name = checkName(check);
  return (
    <li class="row" data-id={check.check_id}>
      <div class="row-main">
        {isRenaming ? (
          <TitleEditor title={check.title ?? ""} onSave={onRename} onClose={() => setIsRenaming(false)} />
        ) : (
          <CheckLink check={check} />
        )}
        <p class="row-facts">
          <Timestamp at={check.created_at} />
          <span>{counted(check.word_count, "word")}</span>
          <span>{languageName(check.language)}</span>
          {check.coverage === "partial" && <span class="partial">Partly searched: time limit reached</span>}
        </p>
        {check.error_message !== null && <p class="fault">{check.error_message}</p>}
      </div>
      <div class="row-outcome">
        <CheckOutcome check={check} />
      </div>
      <div class="row-actions">
        <SmallButton
          ref={renameButton}
          aria-label={`Rename ${name}`}
          disabled={isRenaming}
          onClick={() => setIsRenaming(true)}
        >
          Rename
        </SmallButton>
        <SmallButton aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </SmallButton>
      </div>
    </li>
  );
}

mount(<ChecksPage />);
