/* What the pages do in the browser; without it they are complete. Runs again after each instant navigation. */
const decoded = (part) => {
  try {
    return decodeURIComponent(part);
  } catch (fault) {
    return part;
  }
};

document$.subscribe(() => {
  // The search is a dialog and has no name of its own.
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");

  // An address that names a tab opens it.
  const target = document.getElementById(decoded(location.hash.slice(1)));
  if (target?.name?.startsWith("__tabbed_")) target.checked = true;

  // A dead link still says what was looked for.
  const hint = document.querySelector("[data-wm-home]");
  const words = decoded(location.pathname).split(/[^\p{L}\p{N}]+/u).filter(Boolean).slice(-6);
  if (hint && words.length) {
    const link = document.createElement("a");
    link.href = hint.dataset.wmHome + "?q=" + encodeURIComponent(words.join(" "));
    link.target = "_self"; // a full load: only then does the theme read the query
    link.textContent = `Search for “${words.join(" ")}”`;
    hint.replaceChildren(link);
  }
});
