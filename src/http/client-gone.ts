import type { Context } from "koa";

/** Aborted when the client disconnects before it has its answer. */
export function clientGone({ res }: Context): AbortSignal {
  const gone = new AbortController();
  const onClose = () => {
    if (!res.writableFinished) gone.abort(new Error("the client disconnected"));
  };
  if (res.closed) onClose();
  else res.once("close", onClose);
  return gone.signal;
}
