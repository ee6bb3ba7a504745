import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { writeWhole } from "../../../platform/write-whole.ts";

const STATE_FILE = "state.json";

/** The folder of one part: what was fetched, and what is known of it. Losing it costs a fetch, and nothing else. */
export class SourceFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The path of a file in the folder, which is made if need be. */
  async file(name: string): Promise<string> {
    await mkdir(this.#path, { recursive: true });
    return join(this.#path, name);
  }

  /** What was kept last; undefined when there is nothing, or it is of another form, as after an update of the program. */
  async readState<S extends z.ZodType>(schema: S): Promise<z.output<S> | undefined> {
    try {
      return schema.parse(JSON.parse(await readFile(join(this.#path, STATE_FILE), "utf8")));
    } catch {
      return undefined;
    }
  }

  async writeState(state: unknown): Promise<void> {
    await writeWhole(join(this.#path, STATE_FILE), JSON.stringify(state));
  }

  /** Removes what is known, so that the next fetch takes nothing for unchanged. */
  async forgetState(): Promise<void> {
    await rm(join(this.#path, STATE_FILE), { force: true });
  }

  /** Removes everything. */
  async clear(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }
}
