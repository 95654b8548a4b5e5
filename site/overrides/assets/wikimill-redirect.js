/* Leads from a page's former address to its present one, and keeps the part of the address that names a section. */
(() => {
  const place = document.currentScript.dataset.to ?? document.querySelector("[data-to]")?.dataset.to;
  if (place === undefined) return;
  const to = new URL(place, location.href);
  if (to.origin !== location.origin) return;
  to.hash = location.hash || to.hash;
  location.replace(to);
})();
