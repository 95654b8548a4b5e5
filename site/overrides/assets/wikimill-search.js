/* The search: suggestions below the header's field, and the page of results. It comes when the field gets the focus, or
   with the page of results, and brings what finds pages along. Words of pages stand as text, never as HTML. */
(() => {
  "use strict";

  const own = document.currentScript.src;
  const top = new URL("../", own); // of the site
  const SUGGESTED = 8;
  const SHOWN = 20;
  const LISTED = 60; // tags to choose from
  const PAUSE = 90; // ms without a keystroke
  const NOTES = {
    some: "No page has all of these words. These have some of them.",
    within: "No page has just this word. These have it within another.",
    near: "No page has this word. These have one that is spelt like it.",
    begun: "No page has this word. These have one that begins like it.",
  };

  const made = (tag, properties = {}, ...content) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...content);
    return element;
  };
  const spoken = (word) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll("-", " ");
  const counted = (count, one = "page") => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

  /* An address of this site; whatever else an index may hold leads to the top. */
  const inside = (address) => {
    const found = new URL(`./${address}`, top);
    return found.href.startsWith(top.href) ? found.href : top.href;
  };

  const bring = (part, name) =>
    new Promise((resolve, reject) => {
      if (window[name]) {
        resolve();
        return;
      }
      const script = made("script", { src: new URL(`wikimill-${part}.js`, own).href, async: false });
      script.onload = resolve;
      script.onerror = () => reject(new Error(part));
      document.head.append(script);
    });

  let brought;
  const finder = () => {
    brought ??= Promise.all([bring("words", "wikimillWords"), bring("find", "wikimillFind")]).then(
      () => window.wikimillFind.open(new URL("find/", top)),
      (fault) => {
        brought = undefined;
        throw fault;
      },
    );
    return brought;
  };

  const highlighted = (text, marks) =>
    window.wikimillWords.marked(text, marks).map(([part, is]) => (is ? made("mark", {}, part) : part));

  const facts = ({ type, project, status = "", tier = "" }) =>
    [type, project, spoken(status), spoken(tier)].filter(Boolean).join(" · ");

  /* ---- suggestions ---- */

  let boxes = 0;

  const suggest = (field) => {
    if (field.hasAttribute("aria-controls")) return;
    const { form } = field;
    const list = made("div", { id: `wm-find-list-${(boxes += 1)}`, className: "wm-find-list", hidden: true });
    const said = made("p", { className: "wm-unseen" });
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Suggestions");
    said.setAttribute("role", "status");
    for (const [name, value] of Object.entries({
      role: "combobox",
      "aria-controls": list.id,
      "aria-expanded": "false",
      "aria-autocomplete": "list",
    })) {
      field.setAttribute(name, value);
    }
    form.append(list, said);

    let active = -1;
    let asked = 0;
    let waiting;
    const options = () => [...list.children];
    const choose = (place) => {
      active = place;
      options().forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
      if (place < 0) {
        field.removeAttribute("aria-activedescendant");
        return;
      }
      field.setAttribute("aria-activedescendant", options()[place].id);
      options()[place].scrollIntoView({ block: "nearest" });
    };
    const show = (entries) => {
      list.replaceChildren(...entries);
      entries.forEach((entry, place) => {
        entry.id = `${list.id}-${place}`;
        entry.tabIndex = -1;
        entry.setAttribute("role", "option");
      });
      list.hidden = !entries.length;
      field.setAttribute("aria-expanded", String(!list.hidden));
      choose(-1);
    };
    const close = () => {
      asked += 1;
      clearTimeout(waiting);
      said.textContent = "";
      show([]);
    };
    const results = (query) => `${form.action}?q=${encodeURIComponent(query)}`;

    const ask = async () => {
      const query = field.value;
      const turn = (asked += 1);
      if (!query.trim()) {
        close();
        return;
      }
      try {
        const found = await (await finder()).search(query);
        const pages = await found.index.pages(found.pages.slice(0, SUGGESTED));
        if (turn !== asked || document.activeElement !== field) return;
        const entries = pages.map((page) =>
          made(
            "a",
            { href: inside(page.url), className: "wm-find-hit" },
            made("span", { className: "wm-find-title" }, ...highlighted(page.title, found.marks)),
            " ",
            made("span", { className: "wm-fact" }, facts(page)),
          ),
        );
        const all = found.pages.length > SUGGESTED ? `All ${counted(found.pages.length)}` : "";
        const more = all || (found.pages.length ? "Show as results" : "No page has this: look further");
        entries.push(made("a", { href: results(query), className: "wm-find-all" }, more));
        show(entries);
        said.textContent = found.pages.length ? `${counted(found.pages.length)} found` : "No page found";
      } catch (fault) {
        if (turn === asked) close();
      }
    };

    field.addEventListener("input", () => {
      clearTimeout(waiting);
      asked += 1; // what is on its way is out of date
      waiting = setTimeout(ask, PAUSE);
    });
    field.addEventListener("focus", () => finder().then((opened) => opened.index()).catch(() => {}));
    field.addEventListener("blur", close);
    list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    list.addEventListener("click", () => setTimeout(close));
    form.addEventListener("submit", close);
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      const { length } = list.children;
      if (event.key === "Escape" && !list.hidden) close();
      else if (event.key === "ArrowDown" && list.hidden) ask();
      else if (event.key === "ArrowDown" && length) choose(active + 1 < length ? active + 1 : -1);
      else if (event.key === "ArrowUp" && length) choose(active >= 0 ? active - 1 : length - 1);
      else if (event.key === "Enter" && active >= 0) options()[active].click();
      else return;
      event.preventDefault();
    });
    if (document.activeElement === field) ask();
  };

  /* ---- the page of results ---- */

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
      waiting = setTimeout(run, PAUSE * 2);
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

  /* ---- on each page ---- */

  let renew;
  const mount = () => {
    for (const field of document.querySelectorAll("form.wm-find input[name=q]")) suggest(field);
    const place = document.getElementById("wm-search");
    if (place) renew = results(place) ?? renew;
  };
  addEventListener("popstate", () => document.getElementById("wm-search") && renew?.());
  finder().then((opened) => opened.index()).catch(() => {});
  if (window.document$) document$.subscribe(mount);
  else if (document.readyState === "loading") addEventListener("DOMContentLoaded", mount);
  else mount();
})();
