/** What is told of a request while it goes on. */
export type SendingWatch = {
  /** The part of the body that has been sent, from 0 to 1. */
  readonly onSent: (fraction: number) => void;
  /** The status of the answer, which tells what was made from what was there. */
  readonly onStatus?: (status: number) => void;
};

/**
 * A `fetch` that says how much of its body is sent, which the browser's own does not tell. Give it to the client of the
 * engine for an upload; it reads whole answers only, and so no progress streams.
 */
export function fetchWithProgress({ onSent, onStatus = () => {} }: SendingWatch) {
  return (url: string, { method = "GET", headers, body = null, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const stop = () => request.abort();
      const end = () => signal?.removeEventListener("abort", stop);
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
      request.onload = () => {
        end();
        onStatus(request.status);
        resolve(responseOf(request));
      };
      // Like fetch, which says no more than this of a connection that could not be had.
      request.onerror = () => {
        end();
        reject(new TypeError("the request did not reach the service"));
      };
      request.onabort = () => {
        end();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop);
      request.send(sendable(body));
      if (signal?.aborted === true) stop();
    });
}

/** What the client sends: a form, or nothing. */
function sendable(body: RequestInit["body"]): XMLHttpRequestBodyInit | null {
  return body instanceof ReadableStream ? null : (body ?? null);
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request;
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : responseText, { status, statusText, headers });
}
