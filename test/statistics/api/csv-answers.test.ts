  it("CSV holds the rows of the JSON answer, in its order, with its numbers and names", async () => {
    for (const path of ["/v1/countries?below=true", "/v1/institutions?", "/v1/disciplines?"]) {
      const { data } = z
        .object({ data: z.array(z.record(z.string(), z.unknown())) })
        .parse(await (await statistics.request(path)).json());
      const response = await statistics.request(`${path}&format=csv`);
      expect(response.headers.get("content-type"), path).to.match(/^text\/csv; charset=utf-8/);
      expect(response.headers.get("link"), path).to.match(
        /creativecommons\.org\/licenses\/by\/4\.0\/>; rel="license"; title="Simil/,
      );
      const text = await response.text();
      const header = text.slice(0, text.indexOf("\r\n")).split(",");
      expect(header, "the order of the columns").to.deep.equal(Object.keys(data[0] ?? {}));
      const read: unknown = parse(text, { columns: true });
      const written = data.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === null ? "" : String(value)]),
        ),
      );
      expect(read, path).to.deep.equal(written);
    }
  });
