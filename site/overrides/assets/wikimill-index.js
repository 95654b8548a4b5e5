/* Reads what is needed of the index below find/; pipeline/site/search/shards.py tells what it holds. */
window.wikimillIndex ??= (() => {
"use strict";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const VALUES = new Uint8Array(128);
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

function unpack(packed) {
  const found = [];
  let number = 0;
  let shift = 0;
  for (let at = 0; at < packed.length; at += 1) {
    const value = VALUES[packed.charCodeAt(at)];
    number += (value & 31) << shift;
    shift += 5;
    if (value < 32) {
      found.push(number);
      number = shift = 0;
    }
  }
  return found;
}

/* The last place whose entry does not stand behind `term`. */
function placeOf(list, term, every = 1) {
  let low = 0;
  let high = list.length / every;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle * every] <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const MOST_PIECES = 4; // who types one letter does not fetch the whole index

class Index {
  constructor(folder, manifest) {
    Object.assign(this, { folder, manifest, pieces: new Map() });
    this.heirs = unpack(manifest.heirs);
  }

  piece(part) {
    if (!this.pieces.has(part)) {
      const asked = fetchPart(this.folder, part, this.manifest.edition);
      asked.catch(() => this.pieces.delete(part));
      this.pieces.set(part, asked);
    }
    return this.pieces.get(part);
  }

  pieceOf(term) {
    return placeOf(this.manifest.words, term);
  }

  /* The words that begin so, each with its pages; those of a few pieces. */
  async beginning(stem) {
    const { words: starts } = this.manifest;
    const asked = [];
    for (let number = Math.max(this.pieceOf(stem), 0); number < starts.length; number += 1) {
      if (asked.length === MOST_PIECES || (asked.length && !starts[number].startsWith(stem))) break;
      asked.push(this.piece(`words-${number}`));
    }
    const found = [];
    for (const { words: list } of await Promise.all(asked)) {
      let place = Math.max(placeOf(list, stem, 2), 0);
      if (list[place * 2] < stem) place += 1;
      for (; list[place * 2]?.startsWith(stem); place += 1) found.push([list[place * 2], list[place * 2 + 1]]);
    }
    return found;
  }

  async exact(term) {
    const number = this.pieceOf(term);
    const { words: list } = number < 0 ? { words: [] } : await this.piece(`words-${number}`);
    const place = placeOf(list, term, 2);
    return list[place * 2] === term ? list[place * 2 + 1] : undefined;
  }

  /* What stands of a page in the pieces of a kind: "pages" or "text". */
  async page(number, kind = "pages") {
    const { shelf } = this.manifest;
    return (await this.piece(`${kind}-${Math.floor(number / shelf)}`))[kind][number % shelf];
  }

  async spelling() {
    const asked = [...Array(this.manifest.spelling).keys()].map((number) => this.piece(`spelling-${number}`));
    return (await Promise.all(asked)).flatMap((piece) => {
      const often = unpack(piece.often);
      return piece.words.split(" ").map((spelled, place) => ({ spelled, often: often[place] }));
    });
  }

  async facets() {
    const told = await this.piece("facets");
    const spread = (runs) => {
      const of = new Uint16Array(this.manifest.pages);
      const numbers = unpack(runs);
      for (let place = 0, at = 0; place < numbers.length; place += 2) {
        of.fill(numbers[place], at, (at += numbers[place + 1]));
      }
      return of;
    };
    const tagged = told.tagged.map((steps) => {
      let number = 0;
      return unpack(steps).map((step) => (number += step));
    });
    return (this.narrowing ??= { ...told, type: spread(told.type), project: spread(told.project), tagged });
  }
}

/* What the manifest names may come out of a cache, by its edition. */
async function fetchPart(folder, part, edition, cache = "default") {
  const address = new URL(`${part}.json${edition ? `?${edition}` : ""}`, folder);
  const answer = await fetch(address, { cache });
  if (!answer.ok) throw new Error(`${part}: ${answer.status}`);
  const value = await answer.json();
  if (edition && value.edition !== edition) throw new Error(`${part}: another edition`);
  return value;
}

/* How many letters must change to make one word of another, swapped neighbours as one, up to `most` + 1. */
function distance(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before = [];
  let row = [...Array(other.length + 1).keys()];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        next[j] = Math.min(next[j], before[j - 2] + 1);
      }
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[other.length];
}

const MOST_WITHIN = 24;

/* Words that hold a word, and the one that it may be a misspelling of. */
function alike(sought, spelling) {
  const holding = spelling
    .filter(({ spelled }) => sought.length > 2 && spelled.includes(sought))
    .sort((one, other) => one.spelled.length - other.spelled.length || other.often - one.often)
    .slice(0, MOST_WITHIN);
  const most = sought.length > 5 ? 2 : sought.length > 2 ? 1 : -1;
  let best = { far: most + 1 };
  for (const { spelled, often } of spelling) {
    const far = distance(sought, spelled, most);
    if (far <= most && (far < best.far || (far === best.far && often > best.often))) best = { far, spelled, often };
  }
  return { holding: holding.map(({ spelled }) => spelled), near: best.spelled };
}

return { Index, fetchPart, unpack, alike };
})();
