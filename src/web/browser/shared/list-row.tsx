import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { SmallButton } from "./elements.tsx";
import { TitleEditor, useFocusAfter } from "./title-editor.tsx";

type ListRowProps = {
  readonly id: string;
  readonly picker: ComponentChildren;
  /** What buttons call it. */
  readonly name: string;
  /** The title that can be edited; null where there is none yet. */
  readonly title: string | null;
  readonly link: ComponentChildren;
  readonly facts: ComponentChildren;
  readonly fault?: ComponentChildren;
  readonly outcome: ComponentChildren;
  readonly onRename: (title: string | null) => Promise<void>;
  readonly onDelete: () => void;
};

/** A row of a list whose entries can be renamed and deleted. */
export function ListRow({
  id,
  picker,
  name,
  title,
  link,
  facts,
  fault,
  outcome,
  onRename,
  onDelete,
}: ListRowProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const renameButton = useFocusAfter<HTMLButtonElement>(isRenaming);
  return (
    <li class="row" data-id={id}>
      {picker}
      <div class="row-main">
        {isRenaming ? (
          <TitleEditor title={title ?? ""} onSave={onRename} onClose={() => setIsRenaming(false)} />
        ) : (
          link
        )}
        <p class="row-facts">{facts}</p>
        {fault}
      </div>
      <div class="row-outcome">{outcome}</div>
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
