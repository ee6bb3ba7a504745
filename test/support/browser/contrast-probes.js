// Runs in the browser and measures contrasts as WCAG 2.2 defines them.

globalThis.contrasts = {
  /** The texts in each matching element, with their contrast on the background behind them. */
  texts(selector) {
    return [...document.querySelectorAll(selector)].filter(isShown).flatMap(textsIn);
  },

  /** What can be seen of the control with this number: its texts, its boundary and its focus ring. */
  control(number) {
    const control = document.querySelector(`[data-control="${number}"]`);
    return control !== null && isShown(control)
      ? [
          {
            name: nameOf(control),
            texts: textsIn(control),
            boundary: boundaryOf(control),
            ring: ringOf(control),
          },
        ]
      : [];
  },

  /** Numbers the controls of the page, or of its open dialog, and returns their count. */
  number() {
    for (const old of document.querySelectorAll("[data-control]")) old.removeAttribute("data-control");
    const place = document.querySelector("dialog[open]") ?? document;
    const controls = [...place.querySelectorAll(CONTROLS)].filter(isShown);
    for (const [index, control] of controls.entries()) control.dataset.control = String(index);
    return controls.length;
  },

  /** Disables every control that can be, or enables those again. */
  disable(isDisabled) {
    for (const control of document.querySelectorAll("[data-control]:is(button, input, select, textarea)")) {
      if (isDisabled && !control.disabled) control.dataset.off = "";
      if ("off" in control.dataset) control.disabled = isDisabled;
      if (!isDisabled) delete control.dataset.off;
    }
  },
};

const CONTROLS =
  "button, a[href], summary, input, select, textarea, label.button, [role=separator][tabindex]";

function isShown(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1 && element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true });
}

function textsIn(control) {
  return [control, ...control.querySelectorAll("*")].filter(isShown).flatMap((element) => {
    const measured = [];
    const add = (style, what) => {
      const ground = over(colourOf(style.backgroundColor), groundOf(element));
      const ink = over(faded(colourOf(style.color), opacityOf(element)), ground);
      measured.push({
        name: `${nameOf(element)}${what}`,
        contrast: contrast(ink, ground),
        isDark: luminance(ground) < 0.2,
      });
    };
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    const isField = element.matches(
      "select, textarea, input:not([type=checkbox], [type=radio], [type=file], [type=range])",
    );
    if (hasText || isField) add(getComputedStyle(element), "");
    if (isField && element.placeholder) add(getComputedStyle(element, "::placeholder"), " placeholder");
    const before = getComputedStyle(element, "::before");
    if (/^"[^"]*\S[^"]*"$/.test(before.content)) add(before, "::before");
    return measured;
  });
}

/** The contrast of the line around a field, its own or that of the box that holds it; null where text alone shows a control. */
function boundaryOf(control) {
  if (
    !control.matches("select, textarea, input:not([type=checkbox], [type=radio], [type=file], [type=range])")
  )
    return null;
  for (let box = control; box !== null; box = box.parentElement) {
    const { borderBottomStyle, borderBottomWidth, borderBottomColor } = getComputedStyle(box);
    if (borderBottomStyle === "none" || borderBottomWidth === "0px") continue;
    const around = groundOf(box.parentElement);
    return contrast(over(faded(colourOf(borderBottomColor), opacityOf(box)), around), around);
  }
  return 1;
}

/** The contrast of the focus ring; 1 where none is drawn. */
function ringOf(control) {
  const drawn = [control, control.nextElementSibling, control.closest(".composer")].find(
    (one) => one !== null && getComputedStyle(one).outlineStyle !== "none",
  );
  if (drawn === undefined) return 1;
  const { outlineColor, outlineOffset } = getComputedStyle(drawn);
  const around = Number.parseFloat(outlineOffset) < 0 ? groundOf(drawn) : groundOf(drawn.parentElement);
  return contrast(over(colourOf(outlineColor), around), around);
}

/** The colour behind an element's content: its own background over those of its ancestors. */
function groundOf(element) {
  const layers = [];
  for (let one = element; one !== null; one = one.parentElement) {
    layers.push(faded(colourOf(getComputedStyle(one).backgroundColor), opacityOf(one)));
    if (one.matches("dialog")) break;
  }
  return layers.reduceRight((ground, layer) => over(layer, ground), colourOf("Canvas"));
}

function opacityOf(element) {
  let opacity = 1;
  for (let one = element; one !== null; one = one.parentElement)
    opacity *= Number(getComputedStyle(one).opacity);
  return opacity;
}

const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

/** Any colour of CSS as red, green, blue and alpha. */
function colourOf(css) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle =
    css === "Canvas" ? (matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff") : css;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

function faded([red, green, blue, alpha], opacity) {
  return [red, green, blue, alpha * opacity];
}

function over([red, green, blue, alpha], under) {
  const mix = (one, at) => one * alpha + under[at] * (1 - alpha);
  return [mix(red, 0), mix(green, 1), mix(blue, 2), 1];
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100;
}

function luminance(colour) {
  const [red, green, blue] = colour.slice(0, 3).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function nameOf(element) {
  const label = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
  const classes = element.getAttribute("class");
  return `<${element.tagName.toLowerCase()}${classes ? ` class="${classes}"` : ""}> ${label}`;
}
