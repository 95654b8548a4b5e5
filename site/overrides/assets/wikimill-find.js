/* Finds and ranks the pages of a query. Touches no page. */
window.wikimillFind ??= (() => {
"use strict";

const { words, terms, name, isRun, isSign, size } = window.wikimillWords;
const { Index, fetchPart, unpack, alike } = window.wikimillIndex;

/* First come pages whose title is the query, then those with such another name, then those with all words in their
   title, the shortest first; then it counts what each word tells, and how few pages have it. */
const [TITLED, ALSO_CALLED, CALLED] = [1, 2, 3];
const IN_TITLE = 7; // in the place of a level
const NAME_END = "=";
const PLURAL = 0.9; // of what the word itself tells
const RELATED = 0.6;
const BEGUN = 0.6;
const WITHIN = 0.5;
const RESTATED = 0.6; // sessions
const OLD = 0.5; // superseded or deprecated
const FEW = 5; // pages with all words
const MOST_BEHIND = 15;
const MOST = 1 / 3; // of what all words tell

/* Other forms of a Latin word, each with its share. */
function forms(term) {
  const found = new Map();
  const add = (share, stem, ...endings) => {
    for (const ending of endings) if (!found.has(stem + ending)) found.set(stem + ending, share);
  };
  const [, body] = /^(.*[^aeiou])(?:ies|ied|y)$/.exec(term) ?? [];
  if (body) {
    add(PLURAL, body, "y", "ies", "ie");
    add(RELATED, body, "ied");
    return found;
  }
  const hissing = /(?:[sxz]|[cs]h)(es)?$/.exec(term);
  if (hissing?.[1]) add(PLURAL, term.slice(0, -2), "");
  if (/[^siu]s$/.test(term)) add(PLURAL, term.slice(0, -1), "");
  else add(PLURAL, term, hissing ? "es" : "s");
  const stem = term.replace(/(?:ing|ed|es|er|s|e)$/, "");
  if (stem.length > 2) add(RELATED, stem, "", "s", "es", "e", "ed", "ing", "er");
  return found;
}

/* What a word of another script begins with. */
function stemOf(term) {
  const letters = [...term];
  if (letters.length < 5 || !/^[^a-z]\p{L}+$/u.test(term) || isRun(term)) return "";
  return letters.slice(0, letters.length > 6 ? -2 : -1).join("");
}

class Search {
  constructor(index, only) {
    Object.assign(this, { index, only, marks: new Map(), called: new Map(), count: index.manifest.pages });
  }

  nothing() {
    return { scores: new Float64Array(this.count), titled: new Uint8Array(this.count) };
  }

  /* Adds what a word tells of its pages, times `share`, where that is more than what is known. */
  add({ scores, titled }, packed, share, exact) {
    const steps = unpack(packed);
    const found = [];
    let page = 0;
    for (let at = 0; at < steps.length; at += 1) {
      const place = steps[at] & 7;
      page += steps[at] >> 3;
      found.push([page, place, place === IN_TITLE ? steps[(at += 1)] : 0]);
    }
    const rarity = Math.log(1 + (this.count - found.length + 0.5) / (found.length + 0.5)) + 0.05;
    for (const [one, place, length] of found) {
      const told = length ? 8 + 8 / length : this.index.manifest.levels[place];
      scores[one] = Math.max(scores[one], told * rarity * share);
      if (exact && length) titled[one] = length;
    }
  }

  async term(term, { begun, other = true, within = [], as = term }) {
    const { index } = this;
    const told = this.nothing();
    const taken = new Set();
    const take = (found, packed, share, exact) => {
      if (packed === undefined || taken.has(found) || found.endsWith(NAME_END)) return;
      taken.add(found);
      if (!this.marks.has(found)) this.marks.set(found, as);
      this.add(told, packed, share, exact);
    };
    const near = (found) => index.pieceOf(found) === index.pieceOf(term);
    take(term, await index.exact(term), 1, true);
    for (const [found, share] of other && /^[a-z]{4,}$/.test(term) ? forms(term) : []) {
      if (share === PLURAL || near(found)) take(found, await index.exact(found), share, share === PLURAL);
    }
    const wide = isSign(term) || (begun && size(term) > 1); // a sign is found as the beginning of a pair
    for (const [found, packed] of wide ? await index.beginning(term) : []) {
      take(found, packed, BEGUN + ((1 - BEGUN) * term.length) / (found.length + 1));
    }
    const stem = other && stemOf(term);
    for (const [found, packed] of stem && near(stem) ? await index.beginning(stem) : []) {
      if (found.length <= term.length + 2) take(found, packed, RELATED);
    }
    for (const [found, share] of within) take(found, await index.exact(found), share);
    return told;
  }

  /* A word with parts is found by all of them; as a whole it tells more. */
  async group(group, { begun, all, within }) {
    const { whole, parts, run } = group;
    const single = parts.length < 2;
    const asked = parts.map((part, place) => {
      const open = begun && (single || (!run && (all || place === parts.length - 1)));
      return this.term(part, { begun: open, within: single ? within?.get(group) : [], as: run });
    });
    const entire = whole && whole !== parts[0] && this.term(whole, { begun, other: false, as: parts[0] });
    const [told, ...each] = await Promise.all([entire || this.nothing(), ...asked]);
    const worth = (1 + Math.log2(each.length)) / each.length;
    for (let page = 0; page < this.count && each.length; page += 1) {
      if (!each.every(({ scores }) => scores[page])) continue;
      told.scores[page] += worth * each.reduce((sum, { scores }) => sum + scores[page], 0);
      if (each.every(({ titled }) => titled[page])) told.titled[page] = each[0].titled[page];
    }
    return told;
  }

  /* Pages with every group, or with any: the more of the rare ones, the better. */
  async ranked(groups, { every, begun, all, within, least = 0 }) {
    const told = await Promise.all(
      groups.map((group, at) => this.group(group, { begun: begun && (all || at === groups.length - 1), all, within })),
    );
    const holders = told.map(({ scores }) => scores.reduce((sum, score) => sum + (score > 0), 0));
    const worth = holders.map((count) => Math.log(1 + (this.count + 1) / (1 + count)));
    const total = worth.reduce((sum, one) => sum + one, 0);
    const { restating, current } = this.index.manifest;
    const final = new Map();
    for (let page = 0; page < this.count; page += 1) {
      const scores = told.map((one) => one.scores[page]);
      const called = every && this.called.get(page);
      if (this.only?.(page) === false || !(called || scores[every ? "every" : "some"](Boolean))) continue;
      const held = worth.reduce((sum, one, at) => sum + (scores[at] && one), 0) / total;
      if (held < least) continue;
      const share = page < restating ? 1 : page < current ? RESTATED : OLD;
      const titled = share === 1 && told.every((one) => one.titled[page]) && TITLED + 1 / (1 + told[0].titled[page]);
      const above = (called || titled || 0) * 1e6;
      final.set(page, above + scores.reduce((sum, score) => sum + score, 0) * share * held ** 2);
    }
    const pages = [...final.keys()].sort((one, other) => final.get(other) - final.get(one) || one - other);
    return { pages, missing: groups.filter((_, at) => !holders[at]) };
  }

  /* Finds the pages that are called so. */
  async name(key) {
    const other = /[a-z]{4,}$/.test(key) ? forms(key) : [];
    for (const [one, share] of key ? [[key, 1], ...other] : []) {
      if (share < PLURAL) continue;
      const packed = await this.index.exact(one + NAME_END);
      const less = share === 1 ? 0 : 0.5;
      let page = 0;
      for (const step of packed ? unpack(packed) : []) {
        page += step >> 3;
        this.called.set(page, Math.max(this.called.get(page) ?? 0, (step & 7 ? CALLED : ALSO_CALLED) - less));
      }
    }
  }
}

/* Puts successors first. */
function inOrder(pages, { heirs, manifest: { current } }) {
  const found = new Set(pages);
  const placed = new Set();
  return pages.flatMap((page) => {
    const line = [];
    for (let one = page; one >= 0 && !placed.has(one); one = one < current ? -1 : heirs[one - current] - 1) {
      placed.add(one);
      if (found.has(one)) line.unshift(one);
    }
    return line;
  });
}

/* Whether a page is of the type, the project and the tag that are wanted. */
function chooser(facets, wanted) {
  const low = (text) => text.trim().toLowerCase();
  const tests = Object.entries(wanted).map(([name, value]) => {
    const at = value && facets[`${name}s`].findIndex((one) => low(one) === low(value));
    const tagged = new Set(name === "tag" ? facets.tagged[at] : []);
    return (page) => !value || (name === "tag" ? tagged.has(page) : facets[name][page] === at);
  });
  return (page) => tests.every((test) => test(page));
}

const alone = (part) => ({ whole: part, parts: [part] });

/* Finds the pages of a query, best first; `whole` of them have all of its words. Tells in `how` what had to give way:
   "all" nothing, "some" not every word, "within" words that hold one, "near" another spelling, "begun" beginnings. */
async function search(index, query, filters = {}) {
  const asked = words(query).filter((group) => terms(group).length);
  const { little } = index.manifest;
  const telling = asked.filter(({ whole }) => !little.includes(whole));
  const groups = telling.length ? telling : asked;
  const only = Object.values(filters).some(Boolean) ? chooser(await index.facets(), filters) : undefined;
  const engine = new Search(index, only);
  const { marks, count } = engine;
  const answer = (how, pages, instead = "", whole = pages.length) =>
    ({ pages: inOrder(pages, index), how, whole, instead, marks, index });
  if (!groups.length || !count) return answer("all", only ? [...Array(count).keys()].filter(only) : []);
  const begun = !/\s$/u.test(query) && groups.at(-1) === asked.at(-1);
  const wide = { begun: true, all: true };
  const most = { ...wide, least: MOST };
  const apart = groups.flatMap((group) => group.parts.map(alone));
  await engine.name(name(query, little));

  for (const options of [{ begun }, wide]) {
    const { pages } = await engine.ranked(groups, { every: true, ...options });
    if (!pages.length) continue;
    const few = pages.length < FEW && groups.length > 1 ? (await engine.ranked(apart, most)).pages : [];
    const behind = few.filter((page) => !pages.includes(page)).slice(0, MOST_BEHIND);
    return answer("all", [...pages, ...behind], "", pages.length);
  }

  /* For words that no page has: those that hold one, else the one that it may be a misspelling of. */
  const single = groups.flatMap((group) => (group.run ? [group] : group.parts.map(alone)));
  const { missing } = await engine.ranked(single, { every: true, ...wide });
  const [within, mended] = [new Map(), new Map()];
  for (const group of missing.filter(({ run }) => !run)) {
    const { holding, near } = alike(group.whole, await index.spelling());
    if (holding.length) within.set(group, holding.map((one) => [one, WITHIN]));
    else if (near) mended.set(group, near);
  }
  const spelt = (group) => (mended.has(group) ? alone(mended.get(group)) : group);
  const instead = mended.size && single.map(spelt).map(({ run, whole }) => run ?? whole).join(" ");
  const stems = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((length) => {
    const long = apart.filter(({ whole }) => size(whole) > length);
    return long.map(({ whole }) => alone([...whole].slice(0, length).join("")));
  });
  const attempts = [
    ["within", within.size ? single : [], { every: true, ...wide, within }, instead],
    ["near", mended.size ? single.map(spelt) : [], { every: true }, instead],
    ["some", apart, most],
    ["some", apart, wide],
    ...stems.map((sought) => ["begun", sought, wide]),
  ];
  for (const [how, sought, options, other] of attempts) {
    const pages = sought.length ? (await engine.ranked(sought, options)).pages : [];
    if (pages.length) return answer(how, pages, other);
  }
  return answer("begun", []);
}

/* Opens the index below `folder`. Where its files are gone, or of another edition, the site was published again. */
function open(folder) {
  let opened;
  let cache = "no-cache"; // ask whether there is a newer one
  const index = () => {
    opened ??= fetchPart(folder, "manifest", "", cache).then((told) => new Index(folder, told));
    opened.catch(() => (opened = undefined));
    return opened;
  };
  const found = async (...asked) => search(await index(), ...asked);
  const again = (...asked) => {
    opened = undefined;
    cache = "reload";
    return found(...asked);
  };
  return { index, search: (...asked) => found(...asked).catch(() => again(...asked)) };
}

return { open };
})();
