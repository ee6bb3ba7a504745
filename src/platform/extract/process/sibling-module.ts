/**
 * The URL of another module of the same folder, to be started as a process or a thread: `.ts` when the program
 * runs from its sources, `.js` when it runs from what the compiler made of them.
 */
export function siblingModule(name: string, importMetaUrl: string): URL {
  return new URL(`./${name}${importMetaUrl.endsWith(".ts") ? ".ts" : ".js"}`, importMetaUrl);
}
