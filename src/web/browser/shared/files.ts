import { useState } from "preact/hooks";
import { say } from "./texts.ts";
import { useWindowEvent } from "./use-window-event.ts";
import { bytes } from "./wording.ts";

/** The engine's limit on a file to check. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** Why the service would refuse a file, known before it is sent. The service itself detects the file type, by content. */
export function fileFault(
  { size }: { readonly size: number },
  bytesMax: number = FILE_BYTES_MAX,
): string | undefined {
  if (size === 0) return say("file.empty");
  if (size <= bytesMax) return undefined;
  return say("file.tooLarge", { size: bytes(size), limit: bytes(bytesMax) });
}

type FileDropOptions = {
  /** Takes the files of dropped folders as well; a folder that can't be read is reported here. */
  readonly onFolderFault?: (error: unknown) => void;
};

/** Receives files dropped anywhere on the page, and the element under them; returns whether files are being dragged over it. */
export function useFileDrop(
  onFiles: (files: readonly File[], target: Element | undefined) => void,
  { onFolderFault }: FileDropOptions = {},
): boolean {
  const [isOver, setIsOver] = useState(false);
  useWindowEvent("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setIsOver(true);
  });
  useWindowEvent("dragleave", (event) => {
    // Without a related target the pointer has left the window.
    if (event.relatedTarget === null) setIsOver(false);
  });
  useWindowEvent("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    const target = event.target instanceof Element ? event.target : undefined;
    const give = (files: readonly File[]) => files.length > 0 && onFiles(files, target);
    // The list is empty once the event is over.
    const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
    if (onFolderFault === undefined || !entries.some((entry) => entry?.isDirectory))
      give([...(event.dataTransfer?.files ?? [])]);
    else filesOfAll(entries).then(give, onFolderFault);
  });
  return isOver;
}

async function filesOfAll(entries: readonly (FileSystemEntry | null)[]): Promise<File[]> {
  const files: File[] = [];
  for (const entry of entries) if (entry !== null) files.push(...(await filesIn(entry)));
  return files;
}

/** All files in a folder, each named by its path. */
async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [namedBy(file, entry.fullPath.slice(1))];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // A browser gives at most a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    children.push(...some);
  }
  return filesOfAll(children);
}

// Browsers have different names for the classes of both.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The same file under another name, such as its path. */
export function namedBy(file: File, name: string): File {
  return new File([file], name, { type: file.type, lastModified: file.lastModified });
}

/** False for dragged text, which the browser handles. */
function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
