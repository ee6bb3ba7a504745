import type { Context } from "koa";

/** Aborted when the client goes away before it has its answer: nothing more need be done for it. */
export function clientGone({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort(new Error("the client went away"));
  });
  return gone.signal;
}
