/* What the pages do in the browser; without it they are complete. Runs again after each instant navigation. */
(() => {
  const own = document.currentScript.src;
  const search = ["words", "index", "find", "search"];
  const parts = {
    "wm-browse": ["browse"],
    "wm-lost": ["lost"],
    "wm-map": ["map"],
    "wm-search": [...search, "results"],
  };
  const field = document.querySelector(".wm-find input");
  const has = (...names) => names.some((name) => document.activeElement?.matches(name));

  const decoded = (part) => {
    try {
      return decodeURIComponent(part);
    } catch (fault) {
      return part;
    }
  };

  /* A part of the site that few pages need comes when it is needed, once; it subscribes to `document$` itself. Those
     that need one another are asked for at once, and run in their order. */
  const load = (needed) => {
    if (location.protocol === "file:") return; // where a script may fetch nothing
    for (const part of needed) {
      const source = new URL(`wikimill-${part}.js`, own).href;
      if ([...document.scripts].some((script) => script.src === source)) continue;
      document.head.append(Object.assign(document.createElement("script"), { src: source, async: false }));
    }
  };

  /* ---- the search field: instant navigation keeps the header, so its addresses must not stay relative ---- */

  if (field) {
    field.form.action = field.form.action;
    for (const link of document.querySelectorAll(".md-header a[href]")) link.href = link.href;
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (has("input", "textarea", "select", "[contenteditable]")) return;
      event.preventDefault();
      if (field.offsetParent) field.select(), field.focus();
      else document.querySelector("#wm-search input, .wm-find-page")?.focus();
    });
  }

  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".wm-find input")) load(search);
  });

  /* ---- previews of links: a reader may turn them off; Escape closes what the theme leaves open ---- */

  const kept = "wikimill.previews";
  const previews = () => {
    try {
      return localStorage.getItem(kept) !== "off";
    } catch (fault) {
      return true;
    }
  };
  const switched = () => document.querySelector("[data-wm-previews] button");
  for (const name of ["mouseenter", "mouseover", "focus", "focusin", "touchstart"]) {
    addEventListener(
      name,
      (event) => {
        const link = event.target instanceof Element && event.target.closest("a[href]:not(.footnote-ref)");
        if (link && link.closest("article") && !previews()) event.stopImmediatePropagation();
      },
      true,
    );
  }

  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !document.querySelector(".md-tooltip2--active")) return;
      event.stopPropagation();
      for (const place of document.querySelectorAll("article a:hover, .md-tooltip2")) {
        place.dispatchEvent(new MouseEvent("mouseleave"));
      }
      // The next Tab still goes on from here.
      if (has("article a, .md-tooltip2 a")) document.activeElement.blur();
    },
    true,
  );

  /* ---- buttons ---- */

  const say = (button, words) => {
    const told = button.dataset.wmSaid ?? (button.dataset.wmSaid = button.textContent);
    button.setAttribute("aria-live", "polite");
    button.textContent = words;
    setTimeout(() => (button.textContent = told), 2500);
  };

  const copy = async (button) => {
    try {
      const answer = await fetch(button.dataset.wmCopy);
      if (!answer.ok) throw new Error(answer.status);
      await navigator.clipboard.writeText(await answer.text());
      say(button, "Copied");
    } catch (fault) {
      say(button, "Not copied");
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-wm-copy], [data-wm-previews] button");
    if (!button) return;
    if (button.dataset.wmCopy) {
      copy(button);
      return;
    }
    const on = !previews();
    try {
      localStorage.setItem(kept, on ? "on" : "off");
    } catch (fault) {
      return;
    }
    button.setAttribute("aria-pressed", String(on));
  });

  /* ---- on each page ---- */

  document$.subscribe(() => {
    for (const [id, needed] of Object.entries(parts)) if (document.getElementById(id)) load(needed);

    // The theme's own search is a dialog and has no name.
    document.querySelector(".md-search")?.setAttribute("aria-label", "Search");

    // What Markdown cannot say: a table's corner is no heading, a task's box is named by its task.
    for (const head of document.querySelectorAll("article th")) {
      if (!head.textContent.trim() && !head.childElementCount) head.replaceWith(document.createElement("td"));
    }
    for (const box of document.querySelectorAll("article .task-list-item input")) {
      box.setAttribute("aria-label", box.closest("li").textContent.trim());
    }

    // A site ages: what was not due when it was built may be now.
    const today = new Date().toISOString().slice(0, 10);
    for (const origin of document.querySelectorAll("[data-stale-after]")) {
      if (origin.dataset.staleAfter > today) continue;
      for (const sign of origin.querySelectorAll(".wm-due, .wm-badge--due")) sign.hidden = false;
    }

    const previewing = document.querySelector("[data-wm-previews]");
    if (previewing) {
      previewing.hidden = false;
      switched().setAttribute("aria-pressed", String(previews()));
    }
    for (const button of document.querySelectorAll("[data-wm-copy]")) button.hidden = !navigator.clipboard;

    // An address that names a tab opens it.
    const target = document.getElementById(decoded(location.hash.slice(1)));
    if (target?.name?.startsWith("__tabbed_")) target.checked = true;
  });
})();
