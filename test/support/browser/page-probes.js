// Runs in the browser and finds broken layout. Each finding is a line of text.

globalThis.probes = {
  /** Opens all collapsible parts. */
  openAll() {
    for (const details of document.querySelectorAll("main details")) details.open = true;
  },

  /** Waits until the charts have adjusted to the width of the page. */
  async untilDrawn() {
    const isDrawn = (drawing) =>
      Number(drawing.getAttribute("width")) === Math.floor(drawing.parentElement.clientWidth);
    while (![...document.querySelectorAll(".plot svg")].every(isDrawn)) {
      await new Promise((painted) => requestAnimationFrame(painted));
    }
  },

  /** The page scrolls sideways, or something sticks out of it. */
  sticksOutOfPage() {
    const { clientWidth, scrollWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide, not ${clientWidth}`] : [];
    const out = shown("body *").filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return (left < -1 || right > clientWidth + 1) && !scrolls(element) && !isHidden(element);
    });
    return [...wide, ...out.map((element) => `sticks out of the page: ${nameOf(element)}`)];
  },

  /** Text that is clipped or overflows its box. */
  runsOutOfBox() {
    const boxes = shown("main *, header *, nav *").filter((element) => {
      const isBox = getComputedStyle(element).display !== "inline" && !element.closest("svg");
      return (
        isBox && element.scrollWidth > element.clientWidth + 1 && !scrolls(element) && !isHidden(element)
      );
    });
    return boxes.map((element) => `runs out of its box: ${nameOf(element)}`);
  },

  /** Overlapping texts in drawings. */
  overlapsInDrawings() {
    return [...document.querySelectorAll(".plot svg")].flatMap((drawing) => {
      const texts = [...drawing.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
      return texts.flatMap(([text, box], index) =>
        texts
          .slice(index + 1)
          .filter(([, other]) => meet(box, other))
          .map(([other]) => `${text.textContent} lies upon ${other.textContent}`),
      );
    });
  },
};

/** Tolerates a pixel, because glyphs do not fill their boxes. */
function meet(one, other) {
  const [along, down] = [
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  ];
  return along > 1 && down > 4;
}

function shown(selector) {
  return [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
}

/** Whether the element is inside a scroll container, where it may be wider than the page. */
function scrolls(element) {
  for (let one = element; one !== null; one = one.parentElement) {
    if (["auto", "scroll"].includes(getComputedStyle(one).overflowX)) return true;
  }
  return false;
}

/** Whether only screen readers see the element. */
function isHidden(element) {
  return element.closest(".visually-hidden, .hidden-visually, .skip") !== null;
}

function nameOf(element) {
  const text = element.textContent.trim().slice(0, 40);
  return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}"> ${text}`;
}
