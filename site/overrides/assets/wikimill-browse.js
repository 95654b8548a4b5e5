/* Narrows the list of all pages by type, project, trust, status, need, tag and words. The address keeps the choice.
   Entries say what those of the list say that stood there (pipeline/site/hubs/browse.py), in its order. */
(() => {
  const STEP = 60;
  const FACETS = {
    type: ["Type", (page) => [page.type]],
    project: ["Project", (page) => [page.project]],
    tier: ["Trust", (page) => [page.tier]],
    status: ["Status", (page) => [page.status]],
    needs: ["Needs", (page) => needs(page)],
    tag: ["Tag", (page) => page.tags ?? []],
  };
  const today = new Date().toISOString().slice(0, 10);
  const needs = (page) => [
    ...(page.due === true || (typeof page.due === "string" && page.due && page.due <= today) ? ["a review"] : []),
    ...(page.unsourced ? ["sources"] : []),
    ...(page.contradicted ? ["a decision"] : []),
  ];
  const made = (tag, words = "", attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = words;
    return Object.assign(element, attributes);
  };
  const flat = (text) => text.normalize("NFKC").toLowerCase();
  const told = (page) => [page.title, ...(page.aliases ?? []), page.description, page.path, ...(page.tags ?? [])];
  const spoken = (value) => value.charAt(0).toUpperCase() + value.slice(1);

  const SAID = 160; // characters of a description
  const whole = (words) => {
    const line = words.replace(/\s+/g, " ").trim();
    const cut = line.slice(0, SAID - 1);
    if (line.length <= SAID) return line;
    return `${cut.slice(0, cut.lastIndexOf(" ") > SAID / 2 ? cut.lastIndexOf(" ") : SAID).replace(/[,;:\s]+$/, "")}…`;
  };
  /* Nothing where the description is the title again. */
  const said = ({ title, description = "" }) => {
    const words = whole(description);
    const named = flat(title).replace(/[.…]+$/, "").slice(0, 70);
    return words.length < title.length + 20 && flat(words).startsWith(named) ? "" : words;
  };
  const entry = (page, top) => {
    const item = document.createElement("li");
    item.append(made("a", page.title, { href: new URL(page.url, top).href }), " ");
    const words = said(page);
    if (words) item.append(made("span", words, { className: "wm-said" }), " ");
    const status = ["draft", "deprecated"].includes(page.status) ? spoken(page.status) : "";
    const facts = [page.type, page.project, spoken(page.tier ?? ""), status];
    item.append(made("span", facts.filter(Boolean).join(" · "), { className: "wm-fact" }));
    return item;
  };
  const { compare } = new Intl.Collator("en", { numeric: true, ignorePunctuation: true });
  const last = ({ type = "" }) => flat(type) === "session";
  const inOrder = (one, other) => last(one) - last(other) || compare(one.title, other.title);

  /* Tags that differ by case alone are one, spelt as most pages do; as everywhere else on the site. */
  const asUsual = (pages) => {
    const spelt = new Map();
    for (const tag of pages.flatMap((page) => page.tags ?? [])) {
      const found = spelt.get(flat(tag)) ?? new Map();
      spelt.set(flat(tag), found.set(tag, (found.get(tag) ?? 0) + 1));
    }
    const most = ([one, count], [other, often]) => often - count || (one < other ? -1 : 1);
    const usual = new Map([...spelt].map(([tag, found]) => [tag, [...found].sort(most)[0][0]]));
    for (const page of pages) {
      if (page.tags) page.tags = [...new Set(page.tags.map((tag) => usual.get(flat(tag))))];
    }
  };

  const begin = async (place) => {
    const index = new URL(place.dataset.index, location.href);
    const top = new URL("..", index).href;
    const answer = await fetch(index);
    if (!answer.ok) return;
    const { pages } = await answer.json();
    pages.sort(inOrder);
    asUsual(pages);
    const words = pages.map((page) => flat(told(page).filter(Boolean).join("\n")));
    const state = new URLSearchParams(location.search);
    const former = [...place.children];
    const form = made("form", "", { className: "wm-facets" });
    const count = made("p", "", { className: "wm-count" });
    const list = made("ul", "", { className: "wm-list" });
    const more = made("button", "", { type: "button", className: "wm-button" });
    const results = made("div");
    let shown = STEP;
    form.setAttribute("role", "search");
    form.setAttribute("aria-label", "Narrow the list");
    count.setAttribute("role", "status");
    results.append(list, more);

    const typed = made("input", "", { type: "search", name: "q", autocomplete: "off", value: state.get("q") ?? "" });
    typed.setAttribute("spellcheck", "false");
    const labelled = (words, control) => {
      const label = made("label", "");
      label.append(made("span", words), control);
      form.append(label);
      return control;
    };
    labelled("Words", typed).parentElement.style.gridColumn = "1 / -1"; // the whole width
    const selects = new Map();
    for (const [name, [title, values]] of Object.entries(FACETS)) {
      const held = new Map();
      for (const value of pages.flatMap(values).filter(Boolean)) held.set(value, (held.get(value) ?? 0) + 1);
      if (held.size < (state.get(name) ? 1 : 2)) continue;
      const select = labelled(title, made("select", "", { name }));
      select.append(made("option", "All", { value: "" }));
      selects.set(name, select);
      const often = (a, b) => (name === "tag" ? held.get(b) - held.get(a) : 0) || a.localeCompare(b);
      const all = [...held.keys()].sort(often);
      for (const value of all) {
        const option = made("option", "", { value });
        option.dataset.said = name === "tag" || name === "project" ? value : spoken(value);
        select.append(option);
      }
      const asked = flat(state.get(name) ?? "");
      select.value = [...select.options].find((option) => flat(option.value) === asked)?.value ?? "";
    }
    form.append(made("button", "Clear", { type: "reset", className: "wm-button" }));

    const chosen = (page, at, but = "") => {
      const wanted = flat(typed.value).split(/\s+/).filter(Boolean);
      if (!wanted.every((word) => words[at].includes(word))) return false;
      for (const [name, select] of selects) {
        if (name !== but && select.value && !FACETS[name][1](page).includes(select.value)) return false;
      }
      return true;
    };

    const counts = () => {
      for (const [name, select] of selects) {
        const sums = new Map();
        pages.forEach((page, at) => {
          if (!chosen(page, at, name)) return;
          for (const value of FACETS[name][1](page)) sums.set(value, (sums.get(value) ?? 0) + 1);
        });
        for (const option of select.options) {
          if (option.value) option.textContent = `${option.dataset.said} (${sums.get(option.value) ?? 0})`;
        }
      }
    };

    const show = () => {
      const found = pages.filter((page, at) => chosen(page, at));
      const idle = !typed.value.trim() && [...selects.values()].every((select) => !select.value);
      for (const element of former) element.hidden = idle ? false : true;
      results.hidden = idle;
      list.replaceChildren(...(idle ? [] : found.slice(0, shown).map((page) => entry(page, top))));
      more.hidden = idle || found.length <= shown;
      more.textContent = `Show ${Math.min(STEP, found.length - shown)} more`;
      count.textContent = `${found.length} of ${pages.length} page${pages.length === 1 ? "" : "s"}`;
      counts();
    };

    const keep = () => {
      const address = new URL(location.href);
      for (const control of [typed, ...selects.values()]) {
        if (control.value) address.searchParams.set(control.name, control.value);
        else address.searchParams.delete(control.name);
      }
      history.replaceState(history.state, "", address);
    };

    let waiting = 0;
    const soon = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        shown = STEP;
        show();
        keep();
      }, 120);
    };
    form.addEventListener("input", soon);
    form.addEventListener("change", soon);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => {
      setTimeout(() => {
        for (const control of [typed, ...selects.values()]) control.value = "";
        show();
        keep();
      });
    });
    more.addEventListener("click", () => {
      const first = shown;
      shown += STEP;
      show();
      list.children[first]?.querySelector("a").focus();
    });
    place.prepend(form, count, results);
    show();
  };

  document$.subscribe(() => {
    const place = document.getElementById("wm-browse");
    if (place && !place.querySelector(".wm-facets") && !place.dataset.begun) {
      place.dataset.begun = "";
      begin(place).catch(() => {});
    }
  });
})();
