import { useEffect, useRef, useState } from "preact/hooks";
import type { Comparison } from "../../../client/index.ts";
import { Button } from "../shared/elements.tsx";
import { mount } from "../shared/mount.tsx";
import { type Compared, CompareForm } from "./compare-form.tsx";
import { ComparisonView } from "./comparison-view.tsx";
import "./compare.css";

/** Two texts or files, then what they share. The form keeps its content, so that another attempt needs no new typing. */
function ComparePage() {
  const [compared, setCompared] = useState<Compared>();
  const [showsResult, setShowsResult] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The back button leads from the result to the form.
    const show = () => setShowsResult(history.state?.[RESULT] === true);
    addEventListener("popstate", show);
    return () => removeEventListener("popstate", show);
  }, []);
  useEffect(() => {
    if (!showsResult) return;
    scrollTo({ top: 0, behavior: "instant" });
    title.current?.focus({ preventScroll: true });
  }, [showsResult, compared]);
  const isShown = showsResult && compared !== undefined;
  return (
    <>
      <div class="compare-title">
        <h1 ref={title} tabIndex={-1}>
          Compare two texts
        </h1>
        {isShown && <Button onClick={() => history.back()}>Change the texts</Button>}
      </div>
      <div hidden={isShown}>
        <p class="lead">
          See which passages two texts share, side by side. Neither is stored, and neither is added to the
          corpus.
        </p>
        <CompareForm
          onCompared={(next) => {
            setCompared(next);
            setShowsResult(true);
            if (history.state?.[RESULT] !== true) history.pushState({ [RESULT]: true }, "");
          }}
        />
      </div>
      {isShown && <ComparisonView key={keyOf(compared.comparison)} {...compared} />}
    </>
  );
}

const RESULT = "comparison";

const KEYS = new WeakMap<Comparison, number>();
let keys = 0;

/** Another comparison starts at its beginning, with all kinds of passages. */
function keyOf(comparison: Comparison): number {
  const known = KEYS.get(comparison) ?? ++keys;
  KEYS.set(comparison, known);
  return known;
}

// After a reload there is no comparison to go back to.
history.replaceState(null, "");
mount(<ComparePage />);
