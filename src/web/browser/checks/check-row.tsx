import { useState } from "preact/hooks";
import type { CheckRow as Row } from "../../../client/index.ts";
import { CheckOutcome } from "../shared/parts/check-outcome.tsx";
import { Moment } from "../shared/parts/moment.tsx";
import { TitleEditor } from "../shared/parts/title-editor.tsx";
import { useFocusAfter } from "../shared/state/use-focus-after.ts";
import { checkName } from "../shared/wording/check-name.ts";
import { languageName } from "../shared/wording/languages.ts";
import { counted } from "../shared/wording/numbers.ts";

/** A check in the list: what it is called, how it came out, and what can be done with it. */
export function CheckRow({
  check,
  onRename,
  onDelete,
}: {
  readonly check: Row;
  readonly onRename: (title: string | null) => Promise<void>;
  readonly onDelete: () => void;
}) {
  const [isRenaming, setIsRenaming] = useState(false);
  const renameButton = useFocusAfter<HTMLButtonElement>(isRenaming);
  const name = checkName(check);
  return (
    <li class="row" data-id={check.check_id}>
      <div class="row-main">
        {isRenaming ? (
          <TitleEditor title={check.title ?? ""} onSave={onRename} onClose={() => setIsRenaming(false)} />
        ) : (
          <a
            class={check.title === null ? "row-title untitled" : "row-title"}
            href={`/checks/${check.check_id}`}
          >
            <bdi>{name}</bdi>
          </a>
        )}
        <p class="row-facts">
          <Moment at={check.created_at} />
          <span>{counted(check.word_count, "word")}</span>
          <span>{languageName(check.language)}</span>
          {check.coverage === "partial" && (
            <span class="partial">Not all of it could be searched in time</span>
          )}
        </p>
        {check.error_message !== null && <p class="fault">{check.error_message}</p>}
      </div>
      <div class="row-outcome">
        <CheckOutcome check={check} />
      </div>
      <div class="row-actions">
        <button
          ref={renameButton}
          type="button"
          class="small"
          aria-label={`Rename ${name}`}
          disabled={isRenaming}
          onClick={() => setIsRenaming(true)}
        >
          Rename
        </button>
        <button type="button" class="small" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </button>
      </div>
    </li>
  );
}
