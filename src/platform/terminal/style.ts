import { styleText } from "node:util";

export type Style = (format: Format | readonly Format[], text: string) => string;

export type Format = "bold" | "dim" | "underline" | "red" | "yellow" | "cyan" | "green";

/** Where a style is for: a terminal has `isTTY`. */
export type StyledStream = { readonly isTTY?: boolean };

/**
 * How to style what is written to a stream: with colours on a terminal, plain elsewhere. `FORCE_COLOR` (not 0) asks for colours
 * anywhere, and comes before `NO_COLOR`, which turns them off.
 */
export function styleFor(
  stream: StyledStream,
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  if (!wantsColour(stream, environment)) return (_, text) => text;
  return (format, text) =>
    [format].flat().reduce((styled, one) => styleText(one, styled, { validateStream: false }), text);
}

function wantsColour(
  stream: StyledStream,
  { FORCE_COLOR, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
) {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return stream.isTTY === true && !NO_COLOR && TERM !== "dumb";
}
