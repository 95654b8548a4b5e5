/* The map of all pages, drawn when it comes into sight. Its places are computed at build; here it is moved and read. */
(() => {
  const made = (tag, words = "", attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = words;
    return Object.assign(element, attributes);
  };
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const shortened = (title) => (title.length > 36 ? title.slice(0, 35) + "…" : title);

  const begin = async (place) => {
    const source = new URL(place.dataset.graph, location.href);
    const top = new URL("..", source).href;
    const answer = await fetch(source);
    if (!answer.ok) return;
    const { nodes, edges } = await answer.json();
    if (!nodes.length) return;
    const canvas = made("canvas", "", { tabIndex: 0 });
    const tools = made("div", "", { className: "wm-tools" });
    const named = made("p", "", { className: "wm-count" });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Map of ${nodes.length} pages and their links; the table below lists the same`);
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", "Move the map");
    named.setAttribute("role", "status");

    // A colour for each kind, as in the legend; kinds beyond the colours share the accent's.
    const kinds = [...document.querySelectorAll(".wm-legend [data-type]")].map((entry) => entry.dataset.type);
    const colours = new Map(kinds.slice(0, 7).map((kind, number) => [kind, `--wm-kind-${number + 1}`]));
    const xs = nodes.map((node) => node.x);
    const ys = nodes.map((node) => node.y);
    const low = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
    const high = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);
    const box = { x: low(xs), y: low(ys), w: high(xs) - low(xs) || 1, h: high(ys) - low(ys) || 1 };
    const most = high(nodes.map((node) => node.links ?? 0)) || 1;
    const view = { x: 0.5, y: 0.5, zoom: 1 };
    let goal = { ...view };
    let near = -1;
    let frame = 0;

    const scale = () => Math.min(canvas.clientWidth / box.w, canvas.clientHeight / box.h) * 0.88 * view.zoom;
    const at = (node) => [
      (node.x - box.x - box.w * view.x) * scale() + canvas.clientWidth / 2,
      (node.y - box.y - box.h * view.y) * scale() + canvas.clientHeight / 2,
    ];
    const size = (node) => 3 + 6 * Math.sqrt((node.links ?? 0) / most);

    const draw = () => {
      const style = getComputedStyle(place);
      const colour = (name) => style.getPropertyValue(name).trim();
      const dense = devicePixelRatio || 1;
      canvas.width = canvas.clientWidth * dense;
      canvas.height = canvas.clientHeight * dense;
      const pen = canvas.getContext("2d");
      pen.scale(dense, dense);
      const spots = nodes.map(at);
      pen.strokeStyle = colour("--wm-line");
      pen.beginPath();
      for (const [from, to] of edges) {
        pen.moveTo(...spots[from]);
        pen.lineTo(...spots[to]);
      }
      pen.stroke();
      pen.strokeStyle = colour("--wm-accent");
      pen.beginPath();
      for (const [from, to] of edges.filter((edge) => edge.includes(near))) {
        pen.moveTo(...spots[from]);
        pen.lineTo(...spots[to]);
      }
      pen.stroke();
      nodes.forEach((node, number) => {
        pen.fillStyle = colour(number === near ? "--wm-ink" : colours.get(node.type) ?? "--wm-accent");
        pen.beginPath();
        pen.arc(...spots[number], size(node), 0, 7);
        pen.fill();
      });
      // Names where they find room, those with the most links first.
      pen.font = `12px ${style.fontFamily}`;
      pen.textAlign = "center";
      const taken = [];
      const order = nodes.map((_, number) => number).sort((a, b) => (nodes[b].links ?? 0) - (nodes[a].links ?? 0));
      if (near >= 0) order.unshift(near);
      for (const number of nodes.length > 40 && view.zoom < 2 ? order.slice(0, 24) : order.slice(0, 400)) {
        const [x, y] = spots[number];
        const title = shortened(nodes[number].title);
        const half = pen.measureText(title).width / 2 + 4;
        const top = y + size(nodes[number]) + 2;
        if (x < 0 || y < 0 || x > canvas.clientWidth || y > canvas.clientHeight) continue;
        if (taken.some((name) => Math.abs(name.x - x) < name.half + half && Math.abs(name.top - top) < 15)) continue;
        if (taken.push({ x, half, top }) > 60) break;
        pen.lineWidth = 3;
        pen.strokeStyle = colour("--md-default-bg-color");
        pen.strokeText(title, x, top + 11);
        pen.lineWidth = 1;
        pen.fillStyle = colour("--wm-ink");
        pen.fillText(title, x, top + 11);
      }
    };

    const step = () => {
      frame = 0;
      if (!canvas.isConnected) return;
      let rest = 0;
      for (const name of ["x", "y", "zoom"]) {
        const way = goal[name] - view[name];
        rest += Math.abs(way);
        view[name] = still.matches || Math.abs(way) < 0.002 ? goal[name] : view[name] + way * 0.3;
      }
      draw();
      if (rest > 0.001 && !still.matches) soon();
    };
    const soon = () => {
      frame ||= requestAnimationFrame(step);
    };
    const move = (x, y, zoom = 1) => {
      goal.zoom = Math.min(24, Math.max(0.5, goal.zoom * zoom));
      goal.x = Math.min(1, Math.max(0, goal.x + x / goal.zoom));
      goal.y = Math.min(1, Math.max(0, goal.y + y / goal.zoom));
      soon();
    };
    const whole = () => {
      goal = { x: 0.5, y: 0.5, zoom: 1 };
      soon();
    };
    const moves = {
      "Zoom in": ["+", () => move(0, 0, 1.5)],
      "Zoom out": ["−", () => move(0, 0, 1 / 1.5)],
      "Move left": ["←", () => move(-0.15, 0)],
      "Move right": ["→", () => move(0.15, 0)],
      "Move up": ["↑", () => move(0, -0.15)],
      "Move down": ["↓", () => move(0, 0.15)],
      "Show all": ["All", whole],
    };
    for (const [name, [sign, act]] of Object.entries(moves)) {
      const button = made("button", sign, { type: "button", className: "wm-button", title: name });
      button.setAttribute("aria-label", name);
      button.addEventListener("click", act);
      tools.append(button);
    }
    const keys = { "+": 0, "=": 0, "-": 1, ArrowLeft: 2, ArrowRight: 3, ArrowUp: 4, ArrowDown: 5, 0: 6 };
    canvas.addEventListener("keydown", (event) => {
      if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      Object.values(moves)[keys[event.key]][1]();
    });

    const under = (event) => {
      let best = 14;
      let found = -1;
      nodes.forEach((node, number) => {
        const [x, y] = at(node);
        const far = Math.hypot(x - event.offsetX, y - event.offsetY);
        if (far < best) [best, found] = [far, number];
      });
      return found;
    };
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      held = { x: event.offsetX, y: event.offsetY, far: 0 };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (held && event.buttons) {
        const [x, y] = [event.offsetX - held.x, event.offsetY - held.y];
        held = { x: event.offsetX, y: event.offsetY, far: held.far + Math.hypot(x, y) };
        move((-x / scale() / box.w) * goal.zoom, (-y / scale() / box.h) * goal.zoom);
        return;
      }
      const found = under(event);
      if (found === near) return;
      near = found;
      canvas.style.cursor = near < 0 ? "" : "pointer";
      named.textContent = near < 0 ? "" : `${nodes[near].title} (${nodes[near].type})`;
      soon();
    });
    canvas.addEventListener("click", (event) => {
      const found = held && held.far > 6 ? -1 : under(event);
      held = null;
      if (found >= 0) location.assign(new URL(nodes[found].url, top));
    });
    place.prepend(tools, canvas, named);
    new ResizeObserver(soon).observe(canvas);
    new MutationObserver(soon).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  };

  document$.subscribe(() => {
    const place = document.getElementById("wm-map");
    if (!place || place.dataset.begun !== undefined) return;
    place.dataset.begun = "";
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      begin(place).catch(() => {});
    });
    seen.observe(place);
  });
})();
