import type { RefObject } from "preact";
import { Button, hasCoarsePointer } from "../shared/elements.tsx";
import { FileChooser } from "../shared/field.tsx";
import { fileFault } from "../shared/files.ts";
import { Fault } from "../shared/notice.tsx";
import { say, sayCount } from "../shared/texts.ts";
import { bytes, count } from "../shared/wording.ts";
import { TEXT_CHARS_MAX, type TextSize } from "./draft.ts";

type ComposerProps = {
  /** Begins the identifiers of its elements, where a page has several composers. */
  readonly prefix?: string;
  readonly label: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly initialText: string;
  readonly size: TextSize;
  readonly file: File | undefined;
  readonly isFileOver: boolean;
  readonly onText: (text: string) => void;
  readonly onFile: (file: File | undefined) => void;
};

/** The field for a text, or the file that is checked instead. */
export function Composer(props: ComposerProps) {
  const { prefix = "", label, field, initialText, size, file, isFileOver, onText, onFile } = props;
  return (
    <div class={isFileOver ? "composer over" : "composer"}>
      {file !== undefined && <ChosenFile file={file} onRemove={() => onFile(undefined)} />}
      <div class="sheet" hidden={file !== undefined}>
        <label class="hidden-visually" for={`${prefix}text`}>
          {label}
        </label>
        <textarea
          id={`${prefix}text`}
          ref={field}
          dir="auto"
          rows={12}
          placeholder={say(hasCoarsePointer() ? "submit.paste" : "submit.pasteOrDrop")}
          aria-describedby={`${prefix}text-size`}
          aria-invalid={size.chars > TEXT_CHARS_MAX ? true : undefined}
          defaultValue={initialText}
          onInput={(event) => onText(event.currentTarget.value)}
          onPaste={(event) => {
            const [pasted] = event.clipboardData?.files ?? [];
            if (pasted === undefined) return;
            event.preventDefault();
            onFile(pasted);
          }}
        />
      </div>
      <div class="composer-foot">
        {file === undefined ? (
          <SizeOfText id={`${prefix}text-size`} size={size} />
        ) : (
          <p class="hint">{size.chars === 0 ? "" : say("submit.textKept")}</p>
        )}
        <FileChooser
          id={`${prefix}file`}
          label={say(file === undefined ? "submit.chooseFile" : "submit.chooseOther")}
          hint={say("submit.fileKinds")}
          onFiles={([chosen]) => onFile(chosen)}
        />
      </div>
    </div>
  );
}

type SizeOfTextProps = { readonly id: string; readonly size: TextSize };

function SizeOfText({ id, size: { chars, words } }: SizeOfTextProps) {
  const over = chars - TEXT_CHARS_MAX;
  return (
    <div id={id} class="text-size">
      <p class={over > 0 ? "fault" : "hint"}>
        {say("submit.size", {
          chars: count(chars),
          limit: count(TEXT_CHARS_MAX),
          words: sayCount("count.words", words),
        })}
      </p>
      <p class="fault" role="status">
        {over > 0 && sayCount("submit.overLimit", over)}
      </p>
    </div>
  );
}

function ChosenFile({ file, onRemove }: { readonly file: File; readonly onRemove: () => void }) {
  return (
    <div class="chosen-file">
      <p class="chosen-name">
        <bdi>{file.name}</bdi>
      </p>
      <p class="quiet">{bytes(file.size)}</p>
      <Fault text={fileFault(file)} />
      <Button onClick={onRemove}>{say("common.remove")}</Button>
    </div>
  );
}
