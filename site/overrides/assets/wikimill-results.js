/* The page of results: what a query finds, narrowed by type, project and tag. The address keeps the query. Words of
   pages stand as text, never as HTML. */
(() => {
  "use strict";

  const { made, spoken, counted, inside, finder, highlighted, facts, eachPage } = window.wikimillSearch;
  const SHOWN = 20;
  const LISTED = 60; // tags to choose from
  const PAUSE = 180; // ms without a keystroke
  const NOTES = {
    some: "No page has all of these words. These have some of them.",
    within: "No page has just this word. These have it within another.",
    near: "No page has this word. These have one that is spelt like it.",
    begun: "No page has this word. These have one that begins like it.",
  };

  const entry = (page, marks) => {
    const item = made("li", {}, made("a", { href: inside(page.url) }, ...highlighted(page.title, marks)));
    item.append(" ", made("span", { className: "wm-fact" }, facts(page)));
    const said = made("span", { className: "wm-said" }, ...highlighted(page.about ?? "", marks));
    const line = (...content) => said.append(" ", made("span", { className: "wm-find-line" }, ...content));
    if (page.heir) line("Superseded by ", made("a", { href: inside(page.heir.url) }, page.heir.title));
    const names = (page.aliases ?? []).filter((name) => tells(name, marks));
    if (names.length) line("Also known as ", ...highlighted(names.join(", "), marks));
    const sections = (page.sections ?? []).filter(([title]) => tells(title, marks)).slice(0, 3);
    const links = sections.flatMap(([title, anchor], place) => [
      place ? ", " : "",
      made("a", { href: `${inside(page.url)}#${encodeURIComponent(anchor)}` }, ...highlighted(title, marks)),
    ]);
    if (links.length) line("In it: ", ...links);
    item.append(" ", said);
    return item;
  };
  const tells = (text, marks) => window.wikimillWords.marked(text, marks).some(([, is]) => is);

  /* How many of the pages found have which type, project and tag. */
  const tally = (facets, pages) => {
    const held = new Set(pages);
    const by = (names, of) => {
      const counts = names.map(() => 0);
      for (const page of pages) counts[of[page]] += 1;
      return names.map((name, place) => [name, counts[place]]);
    };
    const tags = facets.tags.map((tag, place) => [tag, facets.tagged[place].filter((page) => held.has(page)).length]);
    const known = (list) => list.filter(([name, count]) => name && count);
    return {
      type: known(by(facets.types, facets.type)),
      project: known(by(facets.projects, facets.project)),
      tag: known(tags)
        .sort(([, one], [, other]) => other - one)
        .slice(0, LISTED)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    };
  };

  const results = (place) => {
    if (place.dataset.wmReady) return undefined;
    place.dataset.wmReady = "yes";
    const field = made("input", { type: "search", name: "q", autocomplete: "off" });
    field.setAttribute("spellcheck", "false");
    field.setAttribute("autocapitalize", "off");
    const labelled = (words, control) =>
      made("label", { className: `wm-by-${control.name}` }, made("span", {}, words), control);
    const selects = Object.fromEntries(
      ["type", "project", "tag"].map((name) => [name, made("select", { name }, made("option", { value: "" }, "All"))]),
    );
    const form = made(
      "form",
      { className: "wm-facets" },
      labelled("Words", field),
      ...Object.entries(selects).map(([name, select]) => labelled(spoken(name), select)),
    );
    form.setAttribute("role", "search");
    form.setAttribute("aria-label", "Search and narrow the results");
    const count = made("p", { className: "wm-count" });
    count.setAttribute("role", "status");
    const note = made("div");
    const list = made("ol", { className: "wm-list wm-found" });
    const more = made("button", { type: "button", className: "wm-button", hidden: true });
    const further = made("p", { className: "wm-further" });
    place.replaceChildren(form, count, note, list, more, further);

    let asked = 0;
    let waiting;
    const state = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    const read = () => {
      const given = new URLSearchParams(location.search);
      field.value = given.get("q") ?? "";
      for (const [name, select] of Object.entries(selects)) keep(select, given.get(name) ?? "");
    };
    const keep = (select, value) => {
      if (value && ![...select.options].some((option) => option.value === value)) {
        select.append(made("option", { value }, value));
      }
      select.value = value;
    };
    const write = () => {
      const told = state().toString();
      const address = `${location.pathname}${told ? `?${told}` : ""}`;
      if (address !== location.pathname + location.search) history.replaceState(history.state, "", address);
    };
    const lead = (places, words) => {
      const link = (to, text) => made("a", { href: inside(to) }, text);
      const tags = link(places.tags, "look through the tags");
      further.replaceChildren(words, link(places.browse, "browse all pages"), " or ", tags, ".");
    };
    const again = (query) => {
      field.value = query;
      run();
      field.focus();
    };

    const fill = (facets, pages) => {
      for (const [name, entries] of Object.entries(tally(facets, pages))) {
        const select = selects[name];
        const { value } = select;
        const told = ([one, held]) => made("option", { value: one }, `${one} (${held.toLocaleString("en")})`);
        const all = entries.map(told);
        select.replaceChildren(made("option", { value: "" }, "All"), ...all);
        const same = entries.find(([one]) => one.toLowerCase() === value.toLowerCase());
        keep(select, same ? same[0] : value);
      }
    };

    const show = async (turn, query, found) => {
      const { pages, marks, index } = found;
      let shown = 0;
      const grow = async () => {
        const wanted = pages.slice(shown, shown + SHOWN);
        const asks = wanted.map((page) => index.pages([page]));
        for (const ask of asks) {
          const [page] = await ask;
          if (turn !== asked) return;
          list.append(entry(page, marks));
        }
        const first = shown;
        shown += wanted.length;
        more.hidden = shown >= pages.length;
        more.textContent = `Show ${Math.min(SHOWN, pages.length - shown)} more`;
        if (first) list.children[first]?.querySelector("a").focus();
      };
      more.onclick = grow;
      list.replaceChildren();
      note.replaceChildren();
      const narrowed = Object.values(selects).some((select) => select.value);
      if (pages.length) count.textContent = `${counted(pages.length)} found`;
      else if (query.trim()) count.textContent = narrowed ? "No page of this choice found" : "No page found";
      else count.textContent = "";
      if (pages.length && found.how !== "all") note.append(made("p", {}, NOTES[found.how]));
      if (found.instead && found.instead !== query) {
        const other = made("a", { href: `?q=${encodeURIComponent(found.instead)}` }, found.instead);
        other.addEventListener("click", (event) => {
          event.preventDefault();
          event.stopPropagation();
          again(found.instead);
        });
        note.append(made("p", {}, "Did you mean ", other, "?"));
      }
      if (!pages.length && query.trim() && narrowed) {
        const free = made("button", { type: "button", className: "wm-button" }, "Search all pages");
        free.onclick = () => {
          for (const select of Object.values(selects)) select.value = "";
          again(query);
        };
        note.append(made("p", {}, free));
      }
      lead(index.manifest, query.trim() ? "Not what you look for? You can " : "You can also ");
      await grow();
    };

    const run = async () => {
      clearTimeout(waiting);
      const turn = (asked += 1);
      place.setAttribute("aria-busy", "true");
      write();
      const query = field.value;
      const filters = Object.fromEntries(Object.entries(selects).map(([name, select]) => [name, select.value]));
      try {
        const opened = await finder();
        const found = await opened.search(query, filters);
        if (turn !== asked) return;
        await show(turn, query, found);
        const facets = await found.index.facets();
        if (turn !== asked) return;
        const chosen = query.trim() || Object.values(filters).some(Boolean);
        fill(facets, chosen ? found.pages : [...facets.type.keys()]);
      } catch (fault) {
        if (turn !== asked) return;
        count.textContent = "The search could not be loaded. Reload this page to try again.";
        lead({ browse: "browse/", tags: "tags/" }, "Or ");
      }
      place.setAttribute("aria-busy", "false");
    };

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run();
    });
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(run, PAUSE);
    });
    form.addEventListener("change", (event) => {
      if (event.target !== field) run();
    });
    read();
    run();
    if (!field.value && !document.querySelector(".wm-find input:focus")) field.focus({ preventScroll: true });
    return () => {
      read();
      run();
    };
  };

  let renew;
  addEventListener("popstate", () => document.getElementById("wm-search") && renew?.());
  eachPage(() => {
    const place = document.getElementById("wm-search");
    if (place) renew = results(place) ?? renew;
  });
})();
