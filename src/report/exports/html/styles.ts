import { SOURCE_LOOKS } from "../../source-colours.ts";

const BASE = `
:root{color-scheme:light dark;--paper:light-dark(#fff,#15181d);--ground:light-dark(#f4f5f7,#0e1014);--ink:light-dark(#1b1f26,#e7eaf0);
--quiet:light-dark(#545d6b,#a3adbc);--line:light-dark(#d5dae2,#333a45);--accent:light-dark(#1f4fc4,#8fb1ff);
--warn:light-dark(#7a4a00,#f2bd62);--warn-ground:light-dark(#fff4dc,#33270f);--orphan:light-dark(#dfe2e7,#3c424c);
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;--reading:Charter,"Iowan Old Style",Cambria,Georgia,"Noto Serif",serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono",monospace}
*{box-sizing:border-box}
html{font:16px/1.5 var(--sans);color:var(--ink);background:var(--ground);text-size-adjust:100%}
body{margin:0 auto;max-width:62rem;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem;overflow-wrap:anywhere;text-align:start}
h2{font-size:1.2rem;line-height:1.3;margin:0 0 .6rem}
h3{font-size:1.05rem;line-height:1.4;margin:2rem 0 .75rem;overflow-wrap:anywhere}
h4{font-size:.8rem;font-weight:600;color:var(--quiet);margin:0 0 .35rem}
p{margin:0 0 .6rem}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
:target{scroll-margin-top:1rem}
section{margin:2.25rem 0 0}
header .kind{font-size:.85rem;font-weight:600;letter-spacing:.02em;color:var(--accent);margin:0 0 .35rem}
.facts,.quiet,.legend{color:var(--quiet);font-size:.9rem}
.quiet{font-weight:400}
.legend{max-width:46rem}
`;

const OVERVIEW = `
.score{display:grid;grid-template-columns:auto 1fr;gap:.5rem 2rem;align-items:center;background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:1.25rem 1.5rem;margin:1.5rem 0 1rem}
.figure{margin:0;max-width:13rem}
.figure strong{display:block;font-size:2.9rem;line-height:1.1;font-variant-numeric:tabular-nums;letter-spacing:-.02em}
.figure span{color:var(--quiet);font-size:.9rem}
.filters{font-size:.9rem;margin:.6rem 0 0}
.kinds{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;margin:0 0 .6rem;padding:0}
.strip{display:block;width:100%;height:14px;border-radius:3px}
.bar{display:block;width:100%;height:5px;border-radius:3px;margin-top:.3rem}
.rail{fill:var(--line)}
rect.orphan{fill:var(--quiet)}
.notice{background:var(--warn-ground);border-inline-start:4px solid var(--warn);border-radius:6px;padding:1rem 1.25rem;margin:1.25rem 0 0}
.notice h2{font-size:1.02rem;margin:0 0 .25rem;color:var(--warn)}
.notice p,.notice li{max-width:46rem}
.notice>:last-child,.score>div>:last-child{margin-bottom:0}
.notice .quiet{color:inherit}
.flags{margin:.5rem 0 0;padding-inline-start:1.75rem}
.flags li{padding:.1rem 0;overflow-wrap:anywhere}
.flags a{color:inherit}
.sources{list-style:none;margin:0;padding:0;background:var(--paper);border:1px solid var(--line);border-radius:10px}
.sources li{display:grid;grid-template-columns:auto 1fr 9rem;gap:.25rem 1rem;align-items:start;padding:.85rem 1.1rem;break-inside:avoid}
.sources li+li{border-top:1px solid var(--line)}
.what,.share{min-width:0}
.what>*{display:block;overflow-wrap:anywhere}
.share{text-align:end;font-variant-numeric:tabular-nums}
.share strong,.share .quiet{display:block}
.number{display:inline-block;min-width:1.9rem;padding:.15rem .4rem;border-radius:5px;text-align:center;font-size:.85rem;font-weight:600;font-variant-numeric:tabular-nums;text-decoration:none}
`;

const READING = `
.sheet{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:2rem clamp(1rem,5vw,3.5rem);font:1.06rem/1.75 var(--reading)}
.sheet p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;text-align:start}
mark{color:inherit;padding:.08em 0;border-radius:2px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
.margin{color:var(--quiet);font-size:.85em}
mark.orphan{background:var(--orphan)}
.excluded{border-radius:2px;box-shadow:inset 0 0 0 1px var(--quiet);box-decoration-break:clone;-webkit-box-decoration-break:clone}
mark.also{text-decoration-line:underline;text-decoration-thickness:3px;text-underline-offset:.28em;text-decoration-skip-ink:none}
.ref{font:600 .68em/1 var(--sans);vertical-align:super;padding:.1em .28em;margin-inline:.1em;border-radius:3px;text-decoration:none;user-select:none;white-space:nowrap}
.ref.sign{color:var(--warn)}
.text del{color:var(--warn);white-space:pre-wrap}
.flagged{text-decoration:underline dotted 2px var(--warn);text-underline-offset:.2em}
.foreign-letter{outline:1.5px solid var(--warn);border-radius:2px}
.code{display:inline-block;font:600 .68em/1.2 var(--mono);border:1px solid var(--warn);color:var(--warn);background:var(--warn-ground);border-radius:3px;padding:0 .25em;margin-inline:.1em;vertical-align:.1em}
.pair{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem;margin:0 0 .9rem}
.pair:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.about{margin:0 0 .6rem}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem 2rem}
.side{min-width:0}
blockquote{margin:0;font:1rem/1.65 var(--reading);white-space:pre-line;overflow-wrap:anywhere;unicode-bidi:plaintext;text-align:start}
blockquote .quiet{font-family:var(--sans)}
.note{margin:.75rem 0 0;padding:.5rem .75rem;border-inline-start:3px solid var(--accent);white-space:pre-wrap;overflow-wrap:anywhere}
.excluded li{margin:0 0 .6rem;overflow-wrap:anywhere}
u{text-decoration:underline 2px var(--accent);text-underline-offset:.2em}
blockquote b{font-weight:600;background:color-mix(in srgb,var(--accent) 16%,transparent)}
footer{margin:3rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line);color:var(--quiet);font-size:.85rem;max-width:46rem}
@media (max-width:40rem){body{padding:1.5rem .85rem 3rem}.score,.sides{grid-template-columns:1fr}.sources li{grid-template-columns:auto 1fr}.share{grid-column:2;text-align:start}}
`;

/** On paper: dark on white with coloured marks, without boxes, and no heading apart from its content. */
const PAPER = `
@media print{:root{color-scheme:light;--ground:#fff}html{font-size:10pt}body{max-width:none;padding:0}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.score,.sheet,.sources,.pair,.notice{border-radius:0}
.sheet{border:0;padding:0}.sheet p{orphans:3;widows:3}
.pair{break-inside:avoid;padding:.6rem 0;border-width:1px 0 0}
h2,h3,h4,.about{break-after:avoid}a{color:inherit;text-decoration:none}
@page{margin:18mm 16mm}}
`;

export const STYLES = [BASE, OVERVIEW, READING, colours(), PAPER].join("");

function colours(): string {
  return SOURCE_LOOKS.map(({ mark, edge, pattern }, at) => {
    const number = at + 1;
    return `.c${number}{background-color:${mark};background-image:${pattern}}.r${number}{background:${mark};color:${edge}}.f${number}{fill:${edge}}.u${number}{text-decoration-color:${edge}}\n`;
  }).join("");
}
