import { expect } from "chai";

import { readWebArchive } from "../../../../src/platform/extract/word/web-archive.ts";

/** Parts as mail programs write them, with the given boundary. */
function multipart(boundary: string, ...parts: readonly string[]): string {
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return `MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html"; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

function page(encoding: string, body: string): string {
  return `Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Location: file:///a.htm\r\n\r\n${body}`;
}

const PICTURE = "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=";

describe("readWebArchive", () => {
  it("finds the page among the parts, in any transfer encoding", () => {
    const html = "<p>caf\u00e9 = bar</p>";
    const bodies = {
      "quoted-printable": "<p>caf=C3=A9 =3D =\r\nbar</p>",
      base64: Buffer.from(html).toString("base64"),
      "8bit": Buffer.from(html).toString("latin1"),
    };
    for (const [encoding, body] of Object.entries(bodies)) {
      const archive = multipart("----=_b.1", PICTURE, page(encoding, body));
      expect(readWebArchive(Buffer.from(archive, "latin1"))?.trim()).to.equal(html);
    }
  });

  it("finds a page in a list inside the list, and one that stands alone", () => {
    const inner = multipart("inner", page("8bit", "<p>x</p>")).replace("MIME-Version: 1.0\r\n", "");
    expect(readWebArchive(Buffer.from(multipart("outer", PICTURE, inner)))?.trim()).to.equal("<p>x</p>");
    expect(readWebArchive(Buffer.from(page("8bit", "<p>x</p>")))?.trim()).to.equal("<p>x</p>");
  });

  it("finds none where there is none", () => {
    for (const archive of ["", "text", multipart("b", PICTURE), multipart("b")]) {
      expect(readWebArchive(Buffer.from(archive))).to.equal(undefined);
    }
  });
});
