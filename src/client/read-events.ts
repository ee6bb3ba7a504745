/** One event of a stream of server-sent events. */
export type ServerEvent = {
  /** `message` for an event without a name. */
  readonly name: string;
  readonly data: string;
};

/**
 * Reads a stream of server-sent events (WHATWG HTML, section 9.2.6); comments and what has no data are passed over.
 * Ends with the stream, and cancels it when its reader stops early.
 * @param onBytes called for whatever comes, comments included: a sign that the connection lives.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unread = "";
  let name = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      unread += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line's end.
      const lines = unread.split(/\r\n|\n|\r(?!$)/);
      unread = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { name: name || "message", data: data.join("\n") };
          name = "";
          data = [];
        } else if (line.startsWith("event:")) name = fieldValue(line);
        else if (line.startsWith("data:")) data.push(fieldValue(line));
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** What stands after the colon and the one space that may follow it. */
function fieldValue(line: string): string {
  return line.slice(line.indexOf(":") + 1).replace(/^ /, "");
}
