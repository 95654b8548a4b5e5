/* The suggestions below a search field, and what the page of results (wikimill-results.js) shares with them. Comes when
   a field gets the focus, behind what finds pages. Words of pages stand as text, never as HTML. */
window.wikimillSearch ??= (() => {
  "use strict";

  const own = document.currentScript.src;
  const top = new URL("../", own); // of the site
  const SUGGESTED = 8;
  const PAUSE = 90; // ms without a keystroke

  const made = (tag, properties = {}, ...content) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...content);
    return element;
  };
  const spoken = (word) => word.charAt(0).toUpperCase() + word.slice(1);
  const counted = (count, one = "page") => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

  /* An address of this site; whatever else an index may hold leads to the top. */
  const inside = (address) => {
    const found = new URL(`./${address}`, top);
    return found.href.startsWith(top.href) ? found.href : top.href;
  };

  let opened;
  const finder = async () => (opened ??= window.wikimillFind.open(new URL("find/", top)));

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
    field.addEventListener("focus", () => finder().then((found) => found.index()).catch(() => {}));
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

  /* ---- on each page ---- */

  const eachPage = (mount) => {
    if (window.document$) document$.subscribe(mount);
    else if (document.readyState === "loading") addEventListener("DOMContentLoaded", mount);
    else mount();
  };

  finder().then((found) => found.index()).catch(() => {});
  eachPage(() => {
    for (const field of document.querySelectorAll("form.wm-find input[name=q]")) suggest(field);
  });
  return Object.freeze({ made, spoken, counted, inside, finder, highlighted, facts, eachPage });
})();
