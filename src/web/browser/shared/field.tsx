import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./elements.tsx";
import { failureLine, failureOf } from "./engine.ts";
import { namedBy } from "./files.ts";
import { Fault } from "./notice.tsx";
import { say } from "./texts.ts";
import { useWindowEvent } from "./use-window-event.ts";

type FormProps = {
  readonly class: string;
  /** Its name for screen readers. */
  readonly label: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
};

/** A form that the page submits itself. */
export function Form({ label, onSubmit, ...attributes }: FormProps) {
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...attributes}
    />
  );
}

/** Submits a form with Ctrl or Command and Enter, from anywhere on the page. */
export function useSubmitKeys(submit: () => void): void {
  useWindowEvent("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  });
}

type FieldIds = { readonly id: string; readonly "aria-describedby"?: string };

type FieldProps = {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
  readonly children: (ids: FieldIds) => ComponentChildren;
};

/** A label, a control and a hint. `children` draws the control with the given identifiers. */
export function Field({ label, hint, optional = false, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="quiet">{say("common.optional")}</span>}
      </label>
      {children({ id, ...(hint !== undefined && { "aria-describedby": hintId }) })}
      {hint !== undefined && (
        <div id={hintId} class="hint">
          {hint}
        </div>
      )}
    </div>
  );
}

type TextFieldProps = Pick<FieldProps, "label" | "hint"> & {
  readonly maxLength: number;
  readonly initial?: string;
  readonly onText: (text: string) => void;
};

/** A short text that may be left out, such as a title. */
export function TextField({ label, hint, maxLength, initial, onText }: TextFieldProps) {
  return (
    <Field label={label} optional hint={hint}>
      {(ids) => (
        <input
          {...ids}
          dir="auto"
          autocomplete="off"
          maxLength={maxLength}
          defaultValue={initial}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

type SelectFieldProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onValue: (value: Value) => void;
};

/** A choice of one of a few values. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onValue,
}: SelectFieldProps<Value>) {
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option !== undefined) onValue(option.value);
  };
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => choose(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type TickProps = {
  readonly label: ComponentChildren;
  readonly isSet: boolean;
  /** Set for some of the things that it stands for. */
  readonly isPartly?: boolean;
  readonly isFixed?: boolean;
  readonly onSet: (isSet: boolean) => void;
};

/** A checkbox with its label. */
export function Tick({ label, isSet, isPartly = false, isFixed = false, onSet }: TickProps) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isSet}
        indeterminate={isPartly}
        disabled={isFixed}
        onChange={(event) => onSet(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** The files that the engine reads, for the file picker. */
export const FILE_KINDS = ".pdf,.docx,.docm,.dotx,.txt,.md,text/plain,text/markdown";

type FileChooserProps = {
  readonly id: string;
  readonly label: string;
  /** The files that the picker offers. */
  readonly kinds?: string;
  /** Describes accepted files. */
  readonly hint?: string;
  readonly isPrimary?: boolean;
  readonly isMultiple?: boolean;
  /** Chooses all files of a folder. */
  readonly isFolder?: boolean;
  /** Receives at least one file; those of a folder are named by their paths in it. */
  readonly onFiles: (files: readonly File[]) => void;
};

/** A button that opens the file picker. */
export function FileChooser(props: FileChooserProps) {
  const { id, label, kinds = FILE_KINDS, hint, isPrimary, isMultiple, isFolder = false, onFiles } = props;
  const hintId = `${id}-kinds`;
  return (
    <div class="file-chooser">
      <input
        id={id}
        class="hidden-visually"
        type="file"
        multiple={isMultiple || isFolder}
        ref={(input) => {
          if (input !== null) input.webkitdirectory = isFolder;
        }}
        accept={isFolder ? undefined : kinds}
        aria-describedby={hint === undefined ? undefined : hintId}
        onChange={({ currentTarget: input }) => {
          const files = [...(input.files ?? [])].map((file) =>
            file.webkitRelativePath === "" ? file : namedBy(file, file.webkitRelativePath),
          );
          // So that choosing the same file again is a change.
          input.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
      <label class={isPrimary ? "button primary" : "button"} for={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The engine's limit on a title, in characters. */
export const TITLE_CHARS_MAX = 200;

type TitleEditorProps = {
  readonly title: string;
  readonly onSave: (title: string | null) => Promise<void>;
  readonly onClose: () => void;
};

/** A field in place of a title. Enter saves, Escape cancels; an empty title is removed; an error keeps it open. */
export function TitleEditor({ title, onSave, onClose }: TitleEditorProps) {
  const field = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  useLayoutEffect(() => field.current?.select(), []);

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = field.current?.value.trim() ?? "";
    if (typed === title) return onClose();
    try {
      await onSave(typed === "" ? null : typed);
      onClose();
    } catch (error) {
      setFault(failureLine(failureOf(error, navigator.onLine)));
    }
  };

  return (
    <form class="title-editor" onSubmit={save}>
      <input
        ref={field}
        aria-label={say("common.title")}
        aria-invalid={fault === undefined ? undefined : true}
        dir="auto"
        defaultValue={title}
        maxLength={TITLE_CHARS_MAX}
        autocomplete="off"
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
      />
      <button type="submit" class="primary">
        {say("common.save")}
      </button>
      <Button onClick={onClose}>{say("common.cancel")}</Button>
      <Fault text={fault} />
    </form>
  );
}

/** Returns the focus when an editor closes. @returns the `ref` of the element that gets it */
export function useFocusAfter<Element extends HTMLElement>(isOpen: boolean) {
  const target = useRef<Element>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) target.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return target;
}
