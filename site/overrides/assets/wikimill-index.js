/* Reads the index below find/, of which it fetches no more than is asked for; pipeline/site/search/shards.py tells what
   its files hold. Knows no query and touches no page. */
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

  const MOST_PIECES = 4; // of a word's beginning: who types one letter does not fetch the whole index

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

    /* The words from the first that begins so on, each with its pages; those of a few pieces. */
    async beginning(stem) {
      const first = this.pieceOf(stem);
      if (first < 0) return [];
      let last = first;
      const { words: starts } = this.manifest;
      while (last + 1 < starts.length && starts[last + 1].startsWith(stem) && last - first < MOST_PIECES - 1) last += 1;
      const asked = [];
      for (let number = first; number <= last; number += 1) asked.push(this.piece(`words-${number}`));
      const found = [];
      for (const { words: list } of await Promise.all(asked)) {
        let place = Math.max(placeOf(list, stem, 2), 0);
        if (list.length && list[place * 2] < stem) place += 1;
        for (; place * 2 < list.length && list[place * 2].startsWith(stem); place += 1) {
          found.push([list[place * 2], list[place * 2 + 1]]);
        }
      }
      return found;
    }

    async exact(term) {
      const number = this.pieceOf(term);
      if (number < 0) return undefined;
      const { words: list } = await this.piece(`words-${number}`);
      const place = placeOf(list, term, 2);
      return place >= 0 && list[place * 2] === term ? list[place * 2 + 1] : undefined;
    }

    async pages(numbers) {
      const { shelf } = this.manifest;
      return Promise.all(
        numbers.map(async (number) => (await this.piece(`pages-${Math.floor(number / shelf)}`)).pages[number % shelf]),
      );
    }

    async spelling() {
      const asked = Array.from({ length: this.manifest.spelling }, (_, number) => this.piece(`spelling-${number}`));
      return (await Promise.all(asked)).flatMap((piece) => {
        const often = unpack(piece.often);
        return piece.words.split(" ").map((spelled, place) => ({ spelled, often: often[place] }));
      });
    }

    async facets() {
      if (!this.narrowing) {
        const told = await this.piece("facets");
        const spread = (runs) => {
          const of = new Uint16Array(this.manifest.pages);
          let at = 0;
          const numbers = unpack(runs);
          for (let place = 0; place < numbers.length; place += 2) {
            of.fill(numbers[place], at, (at += numbers[place + 1]));
          }
          return of;
        };
        const tagged = told.tagged.map((steps) => {
          let number = 0;
          return unpack(steps).map((step) => (number += step));
        });
        this.narrowing = { ...told, type: spread(told.type), project: spread(told.project), tagged };
      }
      return this.narrowing;
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
    let row = Array.from({ length: other.length + 1 }, (_, place) => place);
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

  /* Words that hold a word, and words that it may be a misspelling of. */
  function alike(sought, spelling) {
    const holding = spelling
      .filter(({ spelled }) => sought.length > 2 && spelled.includes(sought))
      .sort((one, other) => one.spelled.length - other.spelled.length || other.often - one.often)
      .slice(0, MOST_WITHIN)
      .map(({ spelled }) => spelled);
    const most = sought.length > 5 ? 2 : sought.length > 2 ? 1 : 0;
    const near = spelling
      .map((entry) => ({ ...entry, far: most ? distance(sought, entry.spelled, most) : 1 }))
      .filter(({ far }) => far <= most)
      .sort((one, other) => one.far - other.far || other.often - one.often || (one.spelled < other.spelled ? -1 : 1));
    return { holding, near: near[0]?.spelled };
  }

  return Object.freeze({ Index, fetchPart, unpack, alike });
})();
