/* The functions that the theme's script counts on, and the folder that the site stands in: the parent of assets/. */
__md_scope = new URL("..", document.currentScript.src);
__md_hash = (text) => [...text].reduce((sum, sign) => (sum << 5) - sum + sign.charCodeAt(0), 0);
__md_get = (name, store = localStorage, scope = __md_scope) => JSON.parse(store.getItem(scope.pathname + "." + name));
__md_set = (name, value, store = localStorage, scope = __md_scope) => {
  try {
    store.setItem(scope.pathname + "." + name, JSON.stringify(value));
  } catch (fault) {
    /* A browser that keeps nothing still shows the page. */
  }
};
