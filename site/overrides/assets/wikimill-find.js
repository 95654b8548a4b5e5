/* Finds and ranks the pages of a query; wikimill-words.js tells what its words are, wikimill-index.js which pages have
   them. Touches no page. */
window.wikimillFind ??= (() => {
  "use strict";

  const { words, terms, name, isRun, isSign, size } = window.wikimillWords;
  const { Index, fetchPart, unpack, alike } = window.wikimillIndex;
  const ASCII = /^[\x00-\x7f]*$/;

  /* Ranking: what each word tells of each page, by how few pages have it. */

  const RELATED = 0.7;
  const BEGUN = 0.6;
  const WITHIN = 0.5;
  const RESTATED = 0.8; // a session tells again what its other pages hold
  const OLD = 0.5; // what is superseded or deprecated
  const BELOW = 0.999;
  const ENDINGS = ["", "s", "es", "e", "ed", "ing", "er", "y", "ies"];

  /* Words of questions: a page need not have them. */
  const LITTLE = new Set(
    (
      "a an and are as at be by can did do does for from had has have how i if in into is it its me my not of on or " +
      "our should so that the their them there these they this to us was we were what when where which who why will " +
      "with you your"
    ).split(" "),
  );

  /* Other forms of a word, by their ending. */
  function related(term) {
    if (/^[a-z]{4,}$/.test(term)) {
      const stem = term.replace(/(?:ies|ing|ed|es|er|s|e|y)$/, "");
      const forms = new Set(ENDINGS.map((ending) => stem + ending));
      return stem.length > 2 ? { stem, fits: (other) => forms.has(other) } : undefined;
    }
    const letters = [...term];
    if (letters.length < 5 || !/^\p{L}+$/u.test(term) || isRun(term) || ASCII.test(term)) return undefined;
    const stem = letters.slice(0, letters.length > 6 ? -2 : -1).join("");
    return { stem, fits: (other) => other.length <= term.length + 2 };
  }

  class Search {
    constructor(index, marks) {
      Object.assign(this, { index, marks, count: index.manifest.pages, levels: index.manifest.levels });
    }

    /* Adds what a word tells of its pages, times `share`, where that is more than what is known. */
    add(scores, packed, share) {
      const numbers = unpack(packed);
      const rarity = Math.log(1 + (this.count - numbers.length + 0.5) / (numbers.length + 0.5));
      let number = 0;
      const every = this.levels.length;
      for (const step of numbers) {
        number += step;
        const page = Math.floor(number / every);
        const told = this.levels[number % every] * (rarity + 0.05) * share;
        if (told > scores[page]) scores[page] = told;
        number = page * every;
      }
    }

    async term(term, { begun, related: forms = true, within = [] }) {
      const scores = new Float32Array(this.count);
      const shares = new Map();
      const take = (found, packed, share) => {
        if (!shares.has(found)) this.add(scores, packed, share);
        shares.set(found, share);
        this.marks.add(found);
      };
      const exact = await this.index.exact(term);
      if (exact !== undefined) take(term, exact, 1);
      const wide = isSign(term) || (begun && size(term) > 1); // a sign is found as the beginning of a pair
      if (wide) {
        for (const [found, packed] of await this.index.beginning(term)) {
          take(found, packed, BEGUN + ((1 - BEGUN) * term.length) / (found.length + 1));
        }
      }
      const family = forms && related(term);
      if (family && this.index.pieceOf(family.stem) === this.index.pieceOf(term)) {
        for (const [found, packed] of await this.index.beginning(family.stem)) {
          if (family.fits(found)) take(found, packed, RELATED);
        }
      }
      for (const [found, share] of within) {
        const packed = await this.index.exact(found);
        if (packed !== undefined) take(found, packed, share);
      }
      return scores;
    }

    /* A word with parts is found by all of them; as a whole it tells more. */
    async group(group, options) {
      const { whole, parts } = group;
      const single = parts.length < 2;
      const given = options.within?.get(group) ?? [];
      const begun = (place) => options.begun && (options.all || place === parts.length - 1);
      const asked = parts.map((part, place) =>
        this.term(part, { begun: begun(place) && !(group.run && !single), within: single ? given : [] }),
      );
      const joined = whole && whole !== parts[0];
      const entire = joined ? this.term(whole, { ...options, within: [], related: false }) : undefined;
      const [told, ...each] = await Promise.all([entire, ...asked]);
      const scores = told ?? new Float32Array(this.count);
      const worth = (1 + Math.log2(Math.max(each.length, 1))) / Math.max(each.length, 1);
      for (let page = 0; page < this.count; page += 1) {
        if (each.length && each.every((one) => one[page])) {
          scores[page] += worth * each.reduce((sum, one) => sum + one[page], 0);
        }
      }
      return scores;
    }

    /* Pages with all groups, or with any; the more of the rare ones, the better. */
    async ranked(groups, { every, only, named, ...options }) {
      const last = groups.length - 1;
      const begun = (place) => options.begun && (options.all || place === last);
      const asked = groups.map((group, place) => this.group(group, { ...options, begun: begun(place) }));
      const all = await Promise.all(asked);
      const bonus = named ? await this.term(named, { related: false }) : undefined;
      const holders = all.map((one) => one.reduce((sum, told) => sum + (told > 0), 0));
      const worth = holders.map((count) => Math.log(1 + (this.count + 1) / (1 + count)));
      const total = worth.reduce((sum, one) => sum + one, 0);
      const telling = groups.map(({ whole }) => !LITTLE.has(whole));
      const needed = telling.some(Boolean) ? telling : groups.map(() => true);
      const scores = new Map();
      for (let page = 0; page < this.count; page += 1) {
        let sum = 0;
        let held = 0;
        let lacks = false;
        for (let place = 0; place < all.length; place += 1) {
          if (all[place][page]) {
            held += worth[place];
            sum += all[place][page];
          } else if (needed[place]) {
            lacks = true;
          }
        }
        if (sum && !(every && lacks) && (!only || only(page))) {
          scores.set(page, (sum + (bonus?.[page] ?? 0)) * (held / total) ** 2);
        }
      }
      const missing = groups.filter((_, place) => needed[place] && !all[place].some(Boolean));
      return { pages: this.ordered(scores), missing };
    }

    /* Best first; what was superseded stands below what took its place. */
    ordered(scores) {
      const { restating, current } = this.index.manifest;
      const share = (page) => (page < restating ? 1 : page < current ? RESTATED : OLD);
      const final = new Map();
      const settle = (page, seen) => {
        if (final.has(page)) return final.get(page);
        let score = scores.get(page) * share(page);
        for (let heir = this.heir(page), steps = 0; heir >= 0 && steps < 100; heir = this.heir(heir), steps += 1) {
          if (scores.has(heir) && !seen.has(heir)) {
            score = Math.min(score, settle(heir, new Set([...seen, heir])) * BELOW);
            break;
          }
        }
        final.set(page, score);
        return score;
      };
      for (const page of scores.keys()) settle(page, new Set([page]));
      return [...scores.keys()].sort((one, other) => final.get(other) - final.get(one) || one - other);
    }

    heir(page) {
      const { current } = this.index.manifest;
      return page < current ? -1 : (this.index.heirs[page - current] ?? 0) - 1;
    }
  }

  function chooser(facets, { type, project, tag }) {
    const low = (text) => text.trim().toLowerCase();
    const place = (list, wanted) => list.findIndex((one) => low(one) === low(wanted));
    const kind = type ? place(facets.types, type) : undefined;
    const home = project ? place(facets.projects, project) : undefined;
    const tagged = tag ? new Set(facets.tagged[place(facets.tags, tag)] ?? []) : undefined;
    return (page) =>
      (kind === undefined || facets.type[page] === kind) &&
      (home === undefined || facets.project[page] === home) &&
      (tagged === undefined || tagged.has(page));
  }

  /* Finds the pages of a query, best first, and tells in `how` what had to give way:
     "all" nothing, "some" not every word, "within" words that hold one, "near" another spelling, "begun" beginnings. */
  async function search(index, query, filters = {}) {
    const groups = words(query).filter((group) => terms(group).length);
    const marks = new Set();
    const narrowed = filters.type || filters.project || filters.tag;
    const only = narrowed ? chooser(await index.facets(), filters) : undefined;
    const engine = new Search(index, marks);
    if (!groups.length || !engine.count) {
      const pages = only ? Array.from({ length: engine.count }, (_, page) => page).filter(only) : [];
      return { pages, how: "all", marks, instead: "" };
    }
    const begun = !/\s$/u.test(query);
    const key = name(query);
    const reached = new Set(groups.flatMap(terms).map((term) => index.pieceOf(term)));
    const named = key && reached.has(index.pieceOf(key)) ? key : "";
    const answer = (found, how, instead = "") => ({ pages: found.pages, how, marks, instead });

    let found = await engine.ranked(groups, { every: true, begun, only, named });
    if (found.pages.length) return answer(found, "all");
    found = await engine.ranked(groups, { every: true, begun: true, all: true, only, named });
    if (found.pages.length) return answer(found, "all");

    const single = groups.flatMap((group) => (group.run ? [group] : group.parts.map(alone)));
    found = await engine.ranked(single, { every: true, begun: true, all: true, only });
    const missing = found.missing.filter((group) => !group.run);
    let instead = "";
    if (missing.length) {
      const { within, mended } = alternatives(missing, await index.spelling());
      if (mended.size) instead = single.map((group) => mended.get(group) ?? group.run ?? group.whole).join(" ");
      if (within.size) {
        found = await engine.ranked(single, { every: true, begun: true, all: true, only, within });
        if (found.pages.length) return answer(found, "within", instead);
      }
      if (mended.size) {
        const spelt = single.map((group) => (mended.has(group) ? alone(mended.get(group)) : group));
        found = await engine.ranked(spelt, { every: true, only });
        if (found.pages.length) return answer(found, "near", instead);
      }
    }
    const apart = groups.flatMap((group) => group.parts.map(alone));
    found = await engine.ranked(apart, { begun: true, all: true, only });
    if (found.pages.length) return answer(found, "some", instead);
    return answer(await begunAlike(engine, apart, only), "begun", instead);
  }

  const alone = (part) => ({ whole: part, parts: [part] });

  /* For words that no page has: those that hold one, else the one that it may be a misspelling of. */
  function alternatives(missing, spelling) {
    const within = new Map();
    const mended = new Map();
    for (const group of missing) {
      const { holding, near } = alike(group.whole, spelling);
      if (holding.length) within.set(group, holding.map((one) => [one, WITHIN]));
      else if (near) mended.set(group, near);
    }
    return { within, mended };
  }

  /* Pages with words that begin like those sought, the longest such beginning first. */
  async function begunAlike(engine, groups, only) {
    const longest = Math.min(Math.max(...groups.map(({ whole }) => size(whole)), 0), 12);
    for (let length = longest - 1; length > 1; length -= 1) {
      const long = groups.filter(({ whole }) => size(whole) > length);
      const stems = long.map(({ whole }) => alone([...whole].slice(0, length).join("")));
      const found = await engine.ranked(stems, { begun: true, all: true, only });
      if (found.pages.length) return found;
    }
    return { pages: [] };
  }

  /* Opens the index below `folder`. Where its files are gone, or of another edition, the site was published again. */
  function open(folder) {
    let opened;
    let cache = "no-cache"; // ask whether there is a newer one
    const index = async () => {
      opened ??= fetchPart(folder, "manifest", "", cache).then((told) => new Index(folder, told));
      try {
        return await opened;
      } catch (fault) {
        opened = undefined;
        throw fault;
      }
    };
    const found = async (query, filters) => {
      const asked = await index();
      return { index: asked, ...(await search(asked, query, filters)) };
    };
    return {
      index,
      async search(query, filters) {
        try {
          return await found(query, filters);
        } catch {
          opened = undefined;
          cache = "reload";
          return found(query, filters);
        }
      },
    };
  }

  return Object.freeze({ open });
})();
