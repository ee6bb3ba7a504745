import { useState } from "preact/hooks";
import { hasCoarsePointer, SmallButton } from "../shared/elements.tsx";
import { FILE_KINDS, FileChooser } from "../shared/field.tsx";
import { useFileDrop } from "../shared/files.ts";
import { announce } from "../shared/mount.tsx";
import { ErrorNotice } from "../shared/notice.tsx";
import { say, sayCount } from "../shared/texts.ts";
import { bytes } from "../shared/wording.ts";
import { addedFiles, filesInWords } from "./batch-files.ts";

/** Rows of the list of chosen files; of more, the first ones are enough to see whether it is the right folder. */
const ROWS_SHOWN = 8;

const KINDS = `${FILE_KINDS},.zip`;

type FilesFieldProps = {
  readonly files: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
};

/** The texts of a batch: a folder, files or archives that are dropped anywhere on the page or chosen. */
export function FilesField({ files, onFiles }: FilesFieldProps) {
  const [fault, setFault] = useState<unknown>();
  const add = (more: readonly File[]) => {
    setFault(undefined);
    const all = addedFiles(files, more);
    onFiles(all);
    announce(say("batches.chosen", { files: filesInWords(all) }));
  };
  const isOver = useFileDrop(add, { onFolderFault: setFault });
  return (
    <div class={isOver ? "batch-files over" : "batch-files"}>
      {files.length === 0 ? (
        <p class="batch-files-call">{say(hasCoarsePointer() ? "batches.chooseCall" : "batches.drop")}</p>
      ) : (
        <ChosenFiles files={files} onFiles={onFiles} />
      )}
      <div class="batch-choosers">
        <FileChooser id="batch-files" label={say("file.choose")} kinds={KINDS} isMultiple onFiles={add} />
        <FileChooser id="batch-folder" label={say("batches.chooseFolder")} isFolder onFiles={add} />
        <p class="hint">{say("batches.fileHint")}</p>
      </div>
      {fault !== undefined && <ErrorNotice error={fault} />}
    </div>
  );
}

function ChosenFiles({ files, onFiles }: FilesFieldProps) {
  return (
    <>
      <div class="batch-files-head">
        <p role="status">
          <strong>{filesInWords(files)}</strong>
        </p>
        <SmallButton onClick={() => onFiles([])}>{say("batches.removeAll")}</SmallButton>
      </div>
      <ul class="batch-files-list">
        {files.slice(0, ROWS_SHOWN).map((file) => (
          <li key={file.name}>
            <bdi>{file.name}</bdi>
            <span class="quiet">{bytes(file.size)}</span>
            <SmallButton
              aria-label={say("batches.removeFile", { name: file.name })}
              onClick={() => onFiles(files.filter((one) => one !== file))}
            >
              {say("common.remove")}
            </SmallButton>
          </li>
        ))}
        {files.length > ROWS_SHOWN && (
          <li class="quiet">{sayCount("count.more", files.length - ROWS_SHOWN)}</li>
        )}
      </ul>
    </>
  );
}
