import { expect } from "chai";
import { fileNameOf } from "../../src/core-api/file-name.ts";

describe("the name of an uploaded file", () => {
  const NAME = 'Fähre & "Hafen" 100%.txt';
  const FORMS: Readonly<Record<string, readonly [header: string, name: string]>> = {
    "percent-encoded between quotes": [
      'inline; filename="F%C3%A4hre und Hafen 100%25.txt"',
      "Fähre und Hafen 100%.txt",
    ],
    "a percent-encoded Content-Disposition": [
      "inline%3B+filename%3D%22F%C3%A4hre+%26+%22Hafen%22+100%25.txt%22",
      NAME,
    ],
    "form-encoded between quotes": ['inline; filename="F%C3%A4hre+100%25.odt"', "Fähre 100%.odt"],
    "without quotes": ["inline; filename=essay.pdf", "essay.pdf"],
    "as UTF-8 bytes": [Buffer.from('inline; filename="Fähre.txt"').toString("latin1"), "Fähre.txt"],
    "with a stray percent sign": ['inline; filename="100%.txt"', "100%.txt"],
    "with folders": ['inline; filename="..%2F..%2Fetc%2Fpasswd"', "passwd"],
  };

  for (const [form, [header, name]] of Object.entries(FORMS))
    it(`is read ${form}`, () => {
      expect(fileNameOf(header, "title")).to.equal(name);
    });

  it("is the given one without a header or a name", () => {
    for (const header of ["", "inline", "inline; filename=", 'inline; filename=""'])
      expect(fileNameOf(header, "My title")).to.equal("My title");
  });
});
