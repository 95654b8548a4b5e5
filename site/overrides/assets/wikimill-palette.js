/* Paints the page in the colours that its reader chose last, before the rest of it is read: else in those of the system. */
(() => {
  const SYSTEM = "(prefers-color-scheme)";
  let colour = __md_get("__palette")?.color ?? { media: SYSTEM };
  if (colour.media === SYSTEM) {
    const scheme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    const input = document.querySelector(`[data-md-color-media='(prefers-color-scheme: ${scheme})']`);
    if (!input) return;
    const told = ["scheme", "primary", "accent"].map((name) => [name, input.getAttribute("data-md-color-" + name)]);
    colour = Object.fromEntries(told);
  }
  for (const [name, value] of Object.entries(colour)) document.body.setAttribute("data-md-color-" + name, value);
})();
