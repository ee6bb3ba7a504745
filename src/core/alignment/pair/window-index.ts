/** For each word of a vocabulary the windows of a text in which it stands; common words are left out. */
export type WindowIndex = {
  readonly count: number;
  /** The windows of word `w` are `windows` from `starts[w]` to `starts[w + 1]`. */
  readonly starts: Int32Array;
  readonly windows: Int32Array;
};

/** Words of a window: a short paragraph. The ascent widens and shifts it by up to its reach, so its size hardly matters. */
export const WINDOW_WORDS = 32;

/** Words from one window to the next: each place lies in the middle half of some window. */
export const WINDOW_STEP = 16;

/** How many windows cover so many words; the last one may be shorter. */
export function windowCount(words: number): number {
  return Math.max(1, Math.ceil((words - WINDOW_WORDS) / WINDOW_STEP) + 1);
}

/** Indexes a text; `common[id]` is 1 for words to leave out, and its length the size of the vocabulary. */
export function indexWindows(ids: Int32Array, common: Uint8Array): WindowIndex {
  const count = windowCount(ids.length);
  const starts = new Int32Array(common.length + 1);
  visit(ids, common, count, (word) => {
    starts[word + 1] = (starts[word + 1] ?? 0) + 1;
  });
  for (let word = 0; word < common.length; word++) {
    starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0);
  }
  const windows = new Int32Array(starts[common.length] ?? 0);
  const free = starts.slice();
  visit(ids, common, count, (word, window) => {
    const place = free[word] ?? 0;
    windows[place] = window;
    free[word] = place + 1;
  });
  return { count, starts, windows };
}

/** Calls back for each word of each window once, however often it stands there. */
function visit(
  ids: Int32Array,
  common: Uint8Array,
  count: number,
  callback: (word: number, window: number) => void,
): void {
  const lastWindow = new Int32Array(common.length).fill(-1);
  for (let window = 0; window < count; window++) {
    const start = window * WINDOW_STEP;
    const end = Math.min(ids.length, start + WINDOW_WORDS);
    for (let i = start; i < end; i++) {
      const word = ids[i] ?? 0;
      if (common[word] === 1 || lastWindow[word] === window) continue;
      lastWindow[word] = window;
      callback(word, window);
    }
  }
}
