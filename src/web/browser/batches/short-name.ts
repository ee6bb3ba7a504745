/** The end of a name without its ending: of a path, the end says more than the beginning. */
export function shortName(name: string, charsMax: number): string {
  const chars = [...name.replace(/\.\w{1,5}$/, "")];
  return chars.length <= charsMax ? chars.join("") : `…${chars.slice(1 - charsMax).join("")}`;
}
