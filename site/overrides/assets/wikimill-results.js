/* The page of results, narrowed by type, project and tag; the address keeps the query. */
(() => {
"use strict";

const { made, spoken, inside, finder, highlighted, facts, summary, eachPage } = window.wikimillSearch;
const { marked } = window.wikimillWords;
const SHOWN = 20;
const LISTED = 60; // tags
const PAUSE = 180; // ms
const [BEFORE, WIDE, LONGEST] = [60, 160, 240]; // characters: until the words, theirs, all
const NOTES = {
  all: "Behind those with all of these words stand pages with some.",
  some: "These pages have some of them.",
  within: "No page has just this word. These have it within another.",
  near: "These pages have a word that is spelt like it.",
  begun: "These pages have a word that begins like it.",
};

const told = (text, marks) => new Set(marked(text, marks).flatMap(([, word]) => word ?? []));
const worth = (words, known) => [...words].reduce((sum, word) => sum + (known.has(word) ? 1 : 2), 0);

/* The piece of a text that tells most words, above all those not `known`. */
const quotation = (text, marks, known) => {
  const hits = [];
  let at = 0;
  for (const [piece, word] of marked(text, marks)) {
    if (word) hits.push([at, word]);
    at += piece.length;
  }
  let best = [0];
  hits.forEach(([from], place) => {
    const near = hits.slice(place, place + 20).filter(([other]) => other < from + WIDE);
    const telling = worth(new Set(near.map(([, word]) => word)), known);
    if (telling > best[0]) best = [telling, from, near.at(-1)[0]];
  });
  const [telling, from, to] = best;
  const line = text.lastIndexOf("\n", from) + 1;
  const gap = text.indexOf(" ", from - BEFORE) + 1;
  const start = from - line < BEFORE ? line : gap && gap < from ? gap : from - BEFORE;
  const stop = `${text}\n`.indexOf("\n", to);
  const space = text.lastIndexOf(" ", start + LONGEST);
  const end = stop < start + LONGEST ? stop : space > to ? space : start + LONGEST;
  const quoted = text.slice(start, end).replaceAll("\n", " ");
  return [telling, (start > line ? "… " : "") + quoted + (end < stop ? " …" : "")];
};

const entry = (page, number, { index, marks }) => {
  const mark = (text) => highlighted(text, marks);
  const tells = (text) => told(text, marks).size;
  const { title, about = "", heir, aliases = [], sections = [] } = page;
  const why = made("span", {}, ...mark(about));
  const said = made("span", { className: "wm-said" }, why);
  const line = (...content) => said.append(" ", made("span", { className: "wm-find-line" }, ...content));
  if (heir) line("Superseded by ", made("a", { href: inside(heir.url) }, heir.title));
  const names = aliases.filter(tells);
  if (names.length) line("Also known as ", ...mark(names.join(", ")));
  const links = sections.filter(([name]) => tells(name)).slice(0, 3).flatMap(([name, anchor], place) => [
    place ? ", " : "",
    made("a", { href: `${inside(page.url)}#${encodeURIComponent(anchor)}` }, ...mark(name)),
  ]);
  if (links.length) line("In it: ", ...links);
  const item = made("li", {}, made("a", { href: inside(page.url) }, ...mark(title)), " ");
  item.append(made("span", { className: "wm-fact" }, facts(page)), " ", said);
  // The sentence with the words takes the place of a description that tells less of them.
  const explain = async () => {
    const [known, described] = [told(title, marks), told(about, marks)];
    if ([...marks.values()].every((word) => known.has(word) || described.has(word))) return;
    const [telling, quoted] = quotation(await index.page(number, "text"), marks, known);
    if (telling > worth(described, known)) why.replaceChildren(...mark(quoted));
  };
  return [item, explain];
};

/* How many pages have what. */
const tally = (facets, pages) => {
  const found = new Set(pages);
  const counts = (name, of) => facets[`${name}s`].map((one, at) => [one, of(at)]).filter(([one, held]) => one && held);
  const by = (name) => counts(name, (at) => pages.filter((page) => facets[name][page] === at).length);
  const tags = counts("tag", (at) => facets.tagged[at].filter((page) => found.has(page)).length);
  return { type: by("type"), project: by("project"), tag: tags.sort(([, a], [, b]) => b - a).slice(0, LISTED) };
};

const results = (place) => {
  if (place.dataset.wmReady) return undefined;
  place.dataset.wmReady = "yes";
  const ways = [...place.querySelectorAll("a[href]")].map(({ href }) => href.slice(inside("").length));
  const field = made("input", { type: "search", name: "q", autocomplete: "off", spellcheck: false });
  field.autocapitalize = "off";
  const labelled = (words, control) => made("label", {}, made("span", {}, words), control);
  const option = (value, words) => made("option", { value }, words);
  const all = () => option("", "All");
  const selects = ["type", "project", "tag"].map((name) => made("select", { name }, all()));
  const form = made("form", { className: "wm-facets", role: "search" }, labelled("Words", field));
  form.append(...selects.map((select) => labelled(spoken(select.name), select)));
  form.ariaLabel = "Search and narrow the results";
  field.parentElement.style.gridColumn = "1 / -1"; // the whole width
  const count = made("p", { className: "wm-count", role: "status" });
  const note = made("div");
  const list = made("ol", { className: "wm-list wm-found" });
  const button = (words, onclick) => made("button", { type: "button", className: "wm-button", onclick }, words);
  const more = button("");
  more.hidden = true;
  const further = made("p", { className: "wm-further" });
  place.replaceChildren(form, count, note, list, more, further);

  let asked = 0;
  let waiting;
  let seen; // tells which entries are in view: only they quote their pages
  const keep = (select, value) => {
    select.value = value;
    if (select.value !== value) select.append(option(value, value));
    select.value = value;
  };
  const read = () => {
    const given = new URLSearchParams(location.search);
    field.value = given.get("q") ?? "";
    for (const select of selects) keep(select, given.get(select.name) ?? "");
  };
  const write = () => {
    const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value)).toString();
    const address = `${location.pathname}${state ? `?${state}` : ""}`;
    if (address !== location.pathname + location.search) history.replaceState(history.state, "", address);
  };
  const lead = ({ browse, tags }, words) => {
    const link = (to, text) => made("a", { href: inside(to) }, text);
    further.replaceChildren(words, link(browse, "browse all pages"), " or ", link(tags, "look through the tags"), ".");
  };
  const say = (...content) => note.append(made("p", {}, ...content));
  const again = (query) => {
    field.value = query;
    run();
    field.focus();
  };

  const fill = (facets, pages) => {
    const counts = tally(facets, pages);
    for (const select of selects) {
      const { value } = select;
      const entries = counts[select.name];
      select.replaceChildren(all());
      select.append(...entries.map(([one, held]) => option(one, `${one} (${held.toLocaleString("en")})`)));
      const same = entries.find(([one]) => one.toLowerCase() === value.toLowerCase());
      keep(select, same ? same[0] : value);
      select.parentElement.hidden = entries.length < 2 && !value;
    }
  };

  const show = async (turn, query, found) => {
    const { pages, how, whole, instead, index } = found;
    const explains = new Map();
    let shown = 0;
    seen?.disconnect();
    seen = new IntersectionObserver((entries) => {
      for (const { target } of entries.filter((one) => one.isIntersecting)) {
        seen.unobserve(target);
        explains.get(target)().catch(() => {});
      }
    });
    const grow = async () => {
      const first = shown;
      const wanted = pages.slice(first, (shown += SHOWN));
      const asks = wanted.map((page) => index.page(page));
      for (const [at, ask] of asks.entries()) {
        const page = await ask;
        if (turn !== asked) return;
        const [item, explain] = entry(page, wanted[at], found);
        explains.set(item, explain);
        list.append(item);
        seen.observe(item);
      }
      more.hidden = shown >= pages.length;
      more.textContent = `Show ${Math.min(SHOWN, pages.length - shown)} more`;
      if (first) list.children[first]?.querySelector("a").focus();
    };
    more.onclick = grow;
    list.replaceChildren();
    note.replaceChildren();
    const narrowed = selects.some((select) => select.value);
    const lost = query.trim() && !pages.length;
    count.textContent = query.trim() || pages.length ? summary(found) : "";
    if (lost && narrowed) count.textContent = "No page of this choice found";
    if (pages.length > (how === "all" ? whole : 0)) say(NOTES[how]);
    if (instead && instead !== query) say("Did you mean ", button(instead, () => again(instead)), "?");
    if (lost && narrowed) {
      const free = () => {
        for (const select of selects) select.value = "";
        again(query);
      };
      say(button("Search all pages", free));
    }
    lead(index.manifest, query.trim() ? "Not what you look for? You can " : "You can also ");
    await grow();
  };

  const run = async () => {
    clearTimeout(waiting);
    const turn = (asked += 1);
    place.ariaBusy = "true";
    write();
    const query = field.value;
    const filters = Object.fromEntries(selects.map(({ name, value }) => [name, value]));
    try {
      const found = await (await finder()).search(query, filters);
      if (turn !== asked) return;
      await show(turn, query, found);
      const facets = await found.index.facets();
      if (turn !== asked) return;
      const chosen = query.trim() || selects.some((select) => select.value);
      fill(facets, chosen ? found.pages : [...facets.type.keys()]);
    } catch {
      if (turn !== asked) return;
      count.textContent = "The search could not be loaded. Reload this page to try again.";
      const [browse = "browse/", tags = "tags/"] = ways;
      lead({ browse, tags }, "Or ");
    }
    place.ariaBusy = "false";
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(run, PAUSE);
  });
  for (const select of selects) select.addEventListener("change", run);
  read();
  run();
  if (!field.value && !document.querySelector(".wm-find input:focus")) field.focus({ preventScroll: true });
  return () => (read(), run());
};

let renew;
addEventListener("popstate", () => document.getElementById("wm-search") && renew?.());
eachPage(() => {
  const place = document.getElementById("wm-search");
  if (place) renew = results(place) ?? renew;
});
})();
