import type { Context } from "koa";

/** Aborted when the client disconnects before it has its answer. */
export function clientGone({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort(new Error("the client disconnected"));
  });
  return gone.signal;
}
