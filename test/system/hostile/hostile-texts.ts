import { type HostileUpload, NO_TEXT, NOT_TAKEN, TAKEN, TOO_LONG } from "./hostile-upload.ts";

/** The most characters that a check takes. */
const CHECK_CHARS_MAX = 500_000;

/** Text files of sorts that no editor writes. */
export const HOSTILE_TEXTS: readonly HostileUpload[] = [
  text("ten million characters in one line", [TOO_LONG], "a b ", 10_000_000),
  text("ten million characters in one word", [TOO_LONG], "a", 10_000_000),
  text("nothing but invisible characters", [NO_TEXT], "\u200b\u2060\ufeff\u00ad", CHECK_CHARS_MAX),
  text("nothing but direction marks", [NO_TEXT], "\u202e\u2066\u2069\u200f", CHECK_CHARS_MAX),
  text("nothing but white space of all kinds", [NO_TEXT], " \t\u00a0\u2003\u3000\r\n\u2028", CHECK_CHARS_MAX),
  text("nothing but control characters", [NOT_TAKEN], "\u0001\u0002\u0003", 100_000),
  text("as many of them as are read where they arrive", [NOT_TAKEN], "\u0001", 65_536),
  text("one more of them", [NOT_TAKEN], "\u0001", 65_537),
  bytes("NULs between letters", [NOT_TAKEN], () => Buffer.alloc(100_000, "a\0")),
  bytes("a NUL here and there", [{ ...TAKEN, text: "a\ufffdb ".repeat(3) + "word ".repeat(100) }], () =>
    Buffer.from("a\0b ".repeat(3) + "word ".repeat(100)),
  ),
  bytes("UTF-16 of an odd length", [{ ...TAKEN, text: "abc\ufffd" }], () =>
    Buffer.from([0xff, 0xfe, 0x61, 0, 0x62, 0, 0x63, 0, 0x64]),
  ),
  bytes("UTF-16 with halves of pairs", [{ ...TAKEN, text: "a\ufffd\ufffdb" }], () =>
    Buffer.from([0xfe, 0xff, 0, 0x61, 0xdc, 0, 0xd8, 0, 0, 0x62]),
  ),
  bytes("UTF-8 that is cut off, overlong and beyond Unicode, with its mark", [{ ...TAKEN }], () =>
    Buffer.from([
      0xef, 0xbb, 0xbf, 0x61, 0xc0, 0x80, 0xf5, 0x80, 0x80, 0x80, 0xed, 0xa0, 0x80, 0x62, 0xe4, 0xb8,
    ]),
  ),
  bytes("bytes that are UTF-8 nowhere", [{ ...TAKEN }, NOT_TAKEN], () =>
    Buffer.alloc(10_000, Buffer.from([0xe9, 0x20])),
  ),
];

/** Half a million characters each, of a sort on which some program once stood still; each is checked to its end. */
export const LONG_TEXTS: readonly HostileUpload[] = [
  ...[
    ["one word", "a"],
    ["combining marks without a letter", "\u0301"],
    ["a letter under thousands of marks", `e${"\u0301\u0323\u0302".repeat(10_000)} `],
    ["letters turned round", "\u202eab\u202c "],
    ["letters of two alphabets", "pаypаl "],
    ["letters spaced out", "t e x t  "],
    ["opening brackets and quotation marks", "([{“«„‘'\""],
    ["hyphens at line ends", "a-\n"],
    ["empty lines", "\r\n \n"],
    ["references", "[1] A. (2001). B. C, 1(2), 3-4.\n"],
    ["full stops", ". "],
    ["digits and points", "1.2,3"],
    ["Chinese without a pause", "中文"],
    ["Thai without a pause", "ก็"],
    ["joined emoji", "👩‍"],
    ["ligatures of eighteen letters", "ﷺ"],
    ["lines of one letter", "a\n"],
  ].map(([name = "", piece = ""]) => ({
    ...text(`half a million characters: ${name}`, [TAKEN, NO_TEXT], piece, CHECK_CHARS_MAX - 10, " The end."),
    costly: true as const,
  })),
];

function text(
  name: string,
  answers: HostileUpload["answers"],
  piece: string,
  chars: number,
  end = "",
): HostileUpload {
  const times = Math.floor(chars / [...piece].length);
  return bytes(name, answers, () => Buffer.from(piece.repeat(times) + end));
}

function bytes(name: string, answers: HostileUpload["answers"], make: () => Buffer): HostileUpload {
  return { name, filename: "hostile.txt", make, answers };
}
