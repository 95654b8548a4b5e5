/* The page for dead links: leads on to where the page went, or names those whose addresses resemble the one asked,
   above all those that end alike. */
(() => {
  const EXACT = 100; // more than any likeness
  const decoded = (part) => {
    try {
      return decodeURIComponent(part);
    } catch (fault) {
      return part;
    }
  };
  const parts = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  const fetched = async (address) => {
    try {
      const answer = await fetch(address);
      return answer.ok ? await answer.json() : {};
    } catch (fault) {
      return {};
    }
  };
  const made = (tag, words, attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = words;
    return Object.assign(element, attributes);
  };

  /* The address from the site's top, as the ledger of moved pages writes it. */
  const asked = (top) => {
    const place = decoded(location.pathname.slice(new URL(top).pathname.length));
    const plain = place.replace(/(^|\/)index\.(html|md)$/, "$1").replace(/\.(html|md)$/, "/");
    return plain === "" || plain.endsWith("/") ? plain : plain + "/";
  };

  /* Words that the address and a page share, those of its name counted twice; a part of a word counts half. */
  const likeness = (words, page) => {
    const name = parts(page.path.split("/").pop() + " " + page.title + " " + (page.aliases ?? []).join(" "));
    const whole = parts(page.path);
    let sum = 0;
    for (const word of words) {
      if (name.includes(word)) sum += 2;
      else if (whole.includes(word)) sum += 0.5;
      else if (word.length > 3 && name.some((part) => part.startsWith(word.slice(0, 4)))) sum += 1;
    }
    return page.status === "deprecated" ? sum * 0.8 : sum;
  };
  const ending = (place) => place.toLowerCase().split("/").filter(Boolean).pop();

  const help = async (lost) => {
    const top = new URL("..", new URL(lost.dataset.index, location.href)).href;
    const place = asked(top);
    const { redirects = {} } = await fetched(lost.dataset.redirects);
    const moved = Object.hasOwn(redirects, place) ? new URL(redirects[place], top) : null;
    if (moved && moved.href.startsWith(top)) {
      moved.hash = location.hash || moved.hash;
      location.replace(moved);
      return;
    }
    const words = [...new Set(parts(place))].filter((word) => !["html", "index", "md"].includes(word)).slice(-8);
    const { pages = [] } = await fetched(lost.dataset.index);
    const last = ending(place);
    const same = (page) => (last && ending(page.path.replace(/(\/index)?\.md$/, "")) === last ? EXACT : 0);
    const found = pages
      .map((page) => [likeness(words, page) + same(page), page])
      .filter(([sum]) => sum >= 1)
      .sort(([one, a], [other, b]) => other - one || (a.path < b.path ? -1 : 1))
      .slice(0, 5);
    const shown = [];
    if (found.length) {
      const list = made("ul", "", { className: "wm-list" });
      for (const [, page] of found) {
        const entry = document.createElement("li");
        entry.append(made("a", page.title, { href: new URL(page.url, top).href }), " ");
        entry.append(made("span", page.type, { className: "wm-fact" }));
        list.append(entry);
      }
      shown.push(made("p", "These pages have a similar name:"), list);
    }
    if (words.length && lost.dataset.search) {
      const address = new URL(lost.dataset.search, location.href);
      address.searchParams.set("q", words.slice(-4).join(" "));
      const line = made("p", "");
      line.append(made("a", `Search for “${words.slice(-4).join(" ")}”`, { href: address.href, target: "_self" }));
      shown.push(line);
    }
    lost.setAttribute("role", "status");
    lost.replaceChildren(...shown);
    // What the template names for readers without this script stands in the navigation as well.
    for (const link of document.querySelectorAll("#wm-lost ~ h2, #wm-lost ~ ul")) link.remove();
  };

  document$.subscribe(() => {
    const lost = document.getElementById("wm-lost");
    if (lost && !lost.childElementCount) help(lost);
  });
})();
