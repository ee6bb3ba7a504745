import { expect } from "chai";
import { downloadName } from "../../src/http/download.ts";

const nameOf = (title: string) => downloadName(title, "report", ".html");

describe("the file name of a download", () => {
  it("is the title, in any script", () => {
    expect(nameOf("Summer essay")).to.equal("Summer essay.html");
    expect(nameOf("Эссе о маяках, 2-я версия")).to.equal("Эссе о маяках, 2-я версия.html");
    expect(nameOf("مقال عن المنارات")).to.equal("مقال عن المنارات.html");
  });

  it("contains no path separators, shell characters or invisible characters", () => {
    expect(nameOf("../../etc/passwd")).to.equal("etc passwd.html");
    expect(nameOf("C:\\temp\\a*?.txt")).to.equal("C temp a .txt.html");
    expect(nameOf("a\u0000b\r\nc\u202Efdp.exe")).to.equal("a b c fdp.exe.html");
    expect(nameOf('say "<b>"')).to.equal("say b.html");
    expect(nameOf("\ud800.lone")).to.equal("\ufffd.lone.html");
  });

  it("ends without the ellipsis of a text's first words", () => {
    expect(nameOf("The keepers carried buckets…")).to.equal("The keepers carried buckets.html");
  });

  it("is short enough for a file system, and splits no character", () => {
    const long = nameOf("🏛".repeat(200));
    expect(long).to.equal(`${"🏛".repeat(50)}.html`);
    expect(Buffer.byteLength(long)).to.be.below(255);
  });

  it("is the fallback if nothing of the title is left", () => {
    for (const title of ["", "...", " / ", "\u200B"]) expect(nameOf(title), title).to.equal("report.html");
  });
});
