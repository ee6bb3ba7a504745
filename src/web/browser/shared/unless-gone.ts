import { ProblemError } from "../../../client/index.ts";

/** Waits for a deletion. What is gone already, as another window may have seen to, is deleted as well. */
export async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) throw error;
  }
}
