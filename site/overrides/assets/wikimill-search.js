/* The suggestions below a search field, and what the page of results shares with them. Comes when a field gets the
   focus. Words of pages stand as text, never as HTML. */
window.wikimillSearch ??= (() => {
"use strict";

const own = document.currentScript.src;
const top = new URL("../", own); // of the site
const SUGGESTED = 8;
const PAUSE = 90; // ms

const made = (tag, properties = {}, ...content) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
};
const spoken = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const counted = (count) => `${count.toLocaleString("en")} page${count === 1 ? "" : "s"}`;

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

/* What is offered instead of what was sought does not count. */
const summary = ({ pages, how, whole }) => {
  if (how === "some") return "No page found with all of these words";
  return pages.length && (how === "all" || how === "within") ? `${counted(whole)} found` : "No page found";
};

let boxes = 0;

const suggest = (field) => {
  if (field.hasAttribute("aria-controls")) return;
  const { form } = field;
  const list = made("div", { id: `wm-find-list-${(boxes += 1)}`, className: "wm-find-list", hidden: true });
  Object.assign(list, { role: "listbox", ariaLabel: "Suggestions" });
  const said = made("p", { className: "wm-unseen", role: "status" });
  field.setAttribute("aria-controls", list.id);
  Object.assign(field, { role: "combobox", ariaExpanded: "false", ariaAutoComplete: "list" });
  form.append(list, said);

  let active = -1;
  let asked = 0;
  let waiting;
  const options = () => [...list.children];
  const choose = (place) => {
    active = place;
    options().forEach((option, at) => (option.ariaSelected = String(at === place)));
    field.setAttribute("aria-activedescendant", options()[place]?.id ?? "");
    options()[place]?.scrollIntoView({ block: "nearest" });
  };
  const show = (entries) => {
    list.replaceChildren(...entries);
    entries.forEach((entry, at) => Object.assign(entry, { id: `${list.id}-${at}`, tabIndex: -1, role: "option" }));
    list.hidden = !entries.length;
    field.ariaExpanded = String(!list.hidden);
    choose(-1);
  };
  const close = () => {
    asked += 1;
    clearTimeout(waiting);
    said.textContent = "";
    show([]);
  };

  const ask = async () => {
    const query = field.value;
    const turn = (asked += 1);
    if (!query.trim()) return close();
    try {
      const found = await (await finder()).search(query);
      const pages = await Promise.all(found.pages.slice(0, SUGGESTED).map((page) => found.index.page(page)));
      if (turn !== asked || document.activeElement !== field) return;
      const entries = pages.map((page) => {
        const title = made("span", { className: "wm-find-title" }, ...highlighted(page.title, found.marks));
        const fact = made("span", { className: "wm-fact" }, facts(page));
        return made("a", { href: inside(page.url), className: "wm-find-hit" }, title, " ", fact);
      });
      const all = found.pages.length > SUGGESTED ? `All ${counted(found.pages.length)}` : "";
      const more = !found.pages.length ? "No page has this: look further" : all || "Show as results";
      const href = `${form.action}?q=${encodeURIComponent(query)}`;
      entries.push(made("a", { href, className: "wm-find-all" }, more));
      show(entries);
      said.textContent = summary(found);
    } catch {
      if (turn === asked) close();
    }
  };

  field.addEventListener("input", () => {
    clearTimeout(waiting);
    asked += 1; // what is on its way is out of date
    waiting = setTimeout(ask, PAUSE);
  });
  field.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", () => setTimeout(close));
  form.addEventListener("submit", close);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const { key } = event;
    const { length } = list.children;
    if (key === "Escape" && !list.hidden) close();
    else if (key === "ArrowDown" && list.hidden) ask();
    else if (key === "ArrowDown") choose(active + 1 < length ? active + 1 : -1);
    else if (key === "ArrowUp" && length) choose(active >= 0 ? active - 1 : length - 1);
    else if (key === "Enter" && active >= 0) options()[active].click();
    else return;
    event.preventDefault();
  });
  if (document.activeElement === field) ask();
};

const eachPage = (mount) => {
  if (window.document$) document$.subscribe(mount);
  else if (document.readyState === "loading") addEventListener("DOMContentLoaded", mount);
  else mount();
};

finder().then((found) => found.index()).catch(() => {});
eachPage(() => {
  for (const field of document.querySelectorAll("form.wm-find input[name=q]")) suggest(field);
});
return Object.freeze({ made, spoken, inside, finder, highlighted, facts, summary, eachPage });
})();
