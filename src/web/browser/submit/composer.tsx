import type { RefObject } from "preact";
import { count, counted } from "../shared/wording/numbers.ts";
import { ChosenFile } from "./chosen-file.tsx";
import { TEXT_CHARS_MAX, type TextSize } from "./text-size.ts";

/** The sheet that a text is typed or pasted on, or that a file lies on in its place. */
export function Composer({
  field,
  initialText,
  size,
  file,
  isFileOver,
  onText,
  onFile,
}: {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** What stands in the field at first; from then on the field draws it by itself. */
  readonly initialText: string;
  readonly size: TextSize;
  readonly file: File | undefined;
  readonly isFileOver: boolean;
  readonly onText: (text: string) => void;
  readonly onFile: (file: File | undefined) => void;
}) {
  return (
    <div class={isFileOver ? "composer over" : "composer"}>
      {file !== undefined && <ChosenFile file={file} onRemove={() => onFile(undefined)} />}
      <div class="sheet" hidden={file !== undefined}>
        <label class="hidden-visually" for="text">
          Text to check
        </label>
        <textarea
          id="text"
          ref={field}
          dir="auto"
          rows={12}
          placeholder="Paste or type a text here, or drop a file"
          aria-describedby="text-size"
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
          <SizeOfText size={size} />
        ) : (
          <p class="hint">{size.chars === 0 ? "" : "What you have typed is kept."}</p>
        )}
        <FileChooser onFile={onFile} label={file === undefined ? "Choose a file…" : "Choose another file…"} />
      </div>
    </div>
  );
}

function SizeOfText({ size: { chars, words } }: { readonly size: TextSize }) {
  const over = chars - TEXT_CHARS_MAX;
  return (
    <div id="text-size" class="text-size">
      <p class={over > 0 ? "fault" : "hint"}>
        {count(chars)} of {count(TEXT_CHARS_MAX)} characters, {counted(words, "word")}
      </p>
      <p class="fault" role="status">
        {over > 0 && `${counted(over, "character")} too many: check the text in parts.`}
      </p>
    </div>
  );
}

function FileChooser({ label, onFile }: { readonly label: string; readonly onFile: (file: File) => void }) {
  return (
    <div class="file-chooser">
      <input
        id="file"
        class="hidden-visually"
        type="file"
        accept=".pdf,.docx,.docm,.dotx,.txt,.md,text/plain"
        aria-describedby="file-kinds"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen !== undefined) onFile(chosen);
          // So that the same file can be chosen once more.
          event.currentTarget.value = "";
        }}
      />
      <label class="button" for="file">
        {label}
      </label>
      <span id="file-kinds" class="hint">
        PDF, DOCX or TXT, up to 10 MB
      </span>
    </div>
  );
}
