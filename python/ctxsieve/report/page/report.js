"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const canvas = document.getElementById("canvas");
  const context = canvas.getContext("2d");
  const search = document.getElementById("search");
  const hits = document.getElementById("hits");
  const detail = document.getElementById("detail");
  const count = data.paths.length;
  const imports = Array.from({ length: count }, () => []);
  const importers = Array.from({ length: count }, () => []);
  data.sources.forEach((source, edge) => {
    imports[source].push(data.targets[edge]);
    importers[data.targets[edge]].push(source);
  });
  const radii = data.importance.map((value) => 3.5 + 9 * Math.sqrt(value));
  const byHeat = data.paths.map((_, node) => node);
  const view = { x: 0, y: 0, scale: 1 };
  const state = { selected: -1, hovered: -1, matches: null, byGroup: false };
  let colours = {};
  // Edges are costly: while the view moves, the last picture of them is moved along.
  const layer = document.createElement("canvas");
  const settleMs = 140;
  let layerState = null;
  let settling = 0;
  let isQuick = false;
  let isWaiting = false;

  // Colours

  const channels = (text) => {
    const value = text.trim();
    return [1, 3, 5].map((place) => parseInt(value.slice(place, place + 2), 16));
  };
  const readColours = () => {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    colours = {
      page: of("--page"), card: of("--card"), ink: of("--ink"), soft: of("--soft"), accent: of("--accent"),
      edge: of("--edge"), hull: of("--hull"),
      ramp: [0, 1, 2, 3].map((stop) => channels(of(`--heat-${stop}`))),
      font: getComputedStyle(document.body).fontFamily,
      isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    };
  };
  const heatColour = (value) => {
    // The root spreads the many small values over the ramp.
    const place = Math.min(Math.sqrt(Math.max(value, 0)), 1) * 3;
    const stop = Math.min(Math.floor(place), 2);
    const share = place - stop;
    const mixed = colours.ramp[stop].map((low, i) => Math.round(low + (colours.ramp[stop + 1][i] - low) * share));
    return `rgb(${mixed.join(",")})`;
  };
  const groupColour = (group) => `hsl(${(group * 137.5) % 360} ${colours.isDark ? "55% 66%" : "52% 46%"})`;
  const nodeColour = (node) => (state.byGroup ? groupColour(data.group[node]) : heatColour(data.heat[node]));

  // Places

  const toScreen = (x, y) => [(x - view.x) * view.scale + canvas.clientWidth / 2, (y - view.y) * view.scale + canvas.clientHeight / 2];
  const toGraph = (x, y) => [(x - canvas.clientWidth / 2) / view.scale + view.x, (y - canvas.clientHeight / 2) / view.scale + view.y];
  const drawnRadius = (node) => Math.max(radii[node] * Math.min(view.scale, 1.6), 1.6 + 2.4 * Math.sqrt(data.importance[node]));
  const fit = () => {
    if (!count) return;
    const left = Math.min(...data.groups.map((g) => g.x - g.r)), right = Math.max(...data.groups.map((g) => g.x + g.r));
    const top = Math.min(...data.groups.map((g) => g.y - g.r)), bottom = Math.max(...data.groups.map((g) => g.y + g.r));
    view.x = (left + right) / 2;
    view.y = (top + bottom) / 2;
    view.scale = Math.min((canvas.clientWidth - 40) / (right - left), (canvas.clientHeight - 56) / (bottom - top), 2.5);
    draw();
  };
  const zoom = (factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
    const [before, beforeY] = toGraph(x, y);
    view.scale = Math.min(Math.max(view.scale * factor, 0.02), 12);
    const [after, afterY] = toGraph(x, y);
    view.x += before - after;
    view.y += beforeY - afterY;
    drawMoving();
  };
  const nodeAt = (x, y) => {
    let best = -1, nearest = Infinity;
    for (let node = 0; node < count; node += 1) {
      const [nodeX, nodeY] = toScreen(data.x[node], data.y[node]);
      const distance = Math.hypot(nodeX - x, nodeY - y);
      if (distance < Math.max(drawnRadius(node) + 3, 7) && distance < nearest) { best = node; nearest = distance; }
    }
    return best;
  };

  // Drawing

  const draw = () => {
    isQuick = false;
    request();
  };
  const drawMoving = () => {
    isQuick = true;
    clearTimeout(settling);
    settling = setTimeout(draw, settleMs);
    request();
  };
  const request = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; paint(); });
  };
  const paint = () => {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    paintGroups();
    paintEdges();
    paintNodes();
    paintNames(width, height);
  };
  const paintGroups = () => {
    data.groups.forEach((group, number) => {
      const [x, y] = toScreen(group.x, group.y);
      context.beginPath();
      context.arc(x, y, group.r * view.scale, 0, 2 * Math.PI);
      context.fillStyle = state.byGroup ? groupColour(number) : `rgb(${colours.hull})`;
      context.globalAlpha = 0.06;
      context.fill();
      context.globalAlpha = 0.22;
      context.strokeStyle = context.fillStyle;
      context.lineWidth = 1;
      context.stroke();
      context.globalAlpha = 1;
    });
  };
  const isNear = (edge) => state.selected >= 0 && (data.sources[edge] === state.selected || data.targets[edge] === state.selected);
  const paintEdges = () => {
    const key = [state.selected, canvas.width, canvas.height, colours.edge].join();
    if (!isQuick || layerState === null || layerState.key !== key) {
      layer.width = canvas.width;
      layer.height = canvas.height;
      paintEdgesOn(layer.getContext("2d"));
      layerState = { key, ...view };
    }
    const grown = view.scale / layerState.scale, width = canvas.clientWidth, height = canvas.clientHeight;
    const x = (layerState.x - view.x) * view.scale + (1 - grown) * width / 2;
    const y = (layerState.y - view.y) * view.scale + (1 - grown) * height / 2;
    context.drawImage(layer, x, y, width * grown, height * grown);
  };
  const paintEdgesOn = (context) => {
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const isCrowded = data.sources.length > 1500;
    const paths = { inside: new Path2D(), across: new Path2D(), near: new Path2D() };
    data.sources.forEach((source, edge) => {
      const target = data.targets[edge];
      const [x, y] = toScreen(data.x[source], data.y[source]);
      const [toX, toY] = toScreen(data.x[target], data.y[target]);
      const path = isNear(edge) ? paths.near : data.group[source] === data.group[target] ? paths.inside : paths.across;
      path.moveTo(x, y);
      path.quadraticCurveTo((x + toX) / 2 + (toY - y) * 0.08, (y + toY) / 2 - (toX - x) * 0.08, toX, toY);
    });
    const dimmed = state.selected >= 0 ? 0.4 : 1;
    const zoomed = Math.min(Math.max(view.scale, 0.4), 1);
    context.lineWidth = Math.min(Math.max(view.scale, 0.5), 1.2);
    context.strokeStyle = `rgba(${colours.edge}, ${(isCrowded ? 0.05 : 0.14) * dimmed})`;
    context.stroke(paths.across);
    context.strokeStyle = `rgba(${colours.edge}, ${(isCrowded ? 0.2 : 0.32) * dimmed * zoomed})`;
    context.stroke(paths.inside);
    context.strokeStyle = colours.accent;
    context.globalAlpha = 0.75;
    context.lineWidth = 1.4;
    context.stroke(paths.near);
    context.globalAlpha = 1;
  };
  const isFaint = (node) => {
    if (state.matches !== null && !state.matches.has(node)) return true;
    if (state.selected < 0 || state.matches !== null) return false;
    return node !== state.selected && !imports[state.selected].includes(node) && !importers[state.selected].includes(node);
  };
  const paintNodes = () => {
    // The hottest last, on top.
    for (let place = count - 1; place >= 0; place -= 1) {
      const node = byHeat[place];
      const [x, y] = toScreen(data.x[node], data.y[node]);
      context.globalAlpha = isFaint(node) ? 0.18 : 1;
      context.beginPath();
      context.arc(x, y, drawnRadius(node), 0, 2 * Math.PI);
      context.fillStyle = nodeColour(node);
      context.fill();
      context.lineWidth = 1;
      context.strokeStyle = colours.page;
      context.stroke();
    }
    context.globalAlpha = 1;
    for (const node of [state.hovered, state.selected]) {
      if (node < 0) continue;
      const [x, y] = toScreen(data.x[node], data.y[node]);
      context.beginPath();
      context.arc(x, y, drawnRadius(node) + 3, 0, 2 * Math.PI);
      context.strokeStyle = colours.accent;
      context.lineWidth = 2.5;
      context.stroke();
    }
  };
  const shortName = (path) => path.split("/").slice(-2).join("/");
  const paintNames = (width, height) => {
    const taken = [];
    const isFree = (box) => box[0] > 2 && box[1] > 2 && box[2] < width - 2 && box[3] < height - 2
      && taken.every((other) => box[2] < other[0] || other[2] < box[0] || box[3] < other[1] || other[3] < box[1]);
    const write = (text, x, y, size, weight, colour, isForced) => {
      context.font = `${weight} ${size}px ${colours.font}`;
      const half = context.measureText(text).width / 2;
      const box = [x - half - 4, y - size * 0.62 - 2, x + half + 4, y + size * 0.62 + 2];
      if (!isForced && !isFree(box)) return false;
      taken.push(box);
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.lineJoin = "round";
      context.lineWidth = 4;
      context.strokeStyle = colours.page;
      context.strokeText(text, x, y);
      context.fillStyle = colours[colour];
      context.fillText(text, x, y);
      return true;
    };
    for (const node of [state.selected, state.hovered]) {
      if (node < 0) continue;
      const [x, y] = toScreen(data.x[node], data.y[node]);
      write(shortName(data.paths[node]), x, y - drawnRadius(node) - 12, 13, 600, "ink", true);
    }
    const groups = data.groups.map((group, number) => [group, number]).sort((a, b) => b[0].r - a[0].r || a[1] - b[1]);
    for (const [group] of groups) {
      const [x, y] = toScreen(group.x, group.y);
      const radius = group.r * view.scale, room = Math.max(Math.round(radius / 3.4), 20);
      const name = group.name.length > room ? `${group.name.slice(0, room - 1)}\u2026` : group.name;
      if (radius > 17 && !write(name, x, y - radius - 8, 13, 600, "soft", false)) write(name, x, y + radius + 9, 13, 600, "soft", false);
    }
    const order = state.matches !== null && state.matches.size ? [...state.matches] : byHeat;
    const most = view.scale > 0.75 ? 400 : state.matches !== null ? 40 : 14;
    for (const node of order.slice(0, most)) {
      if (isFaint(node) || node === state.selected || node === state.hovered) continue;
      const [x, y] = toScreen(data.x[node], data.y[node]);
      write(shortName(data.paths[node]), x, y + drawnRadius(node) + 9, 11.5, 450, "ink", false);
    }
  };

  // Selecting

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const listOf = (title, nodes) => {
    const part = element("div");
    part.append(element("h4", `${title} (${nodes.length})`));
    const list = element("ul");
    for (const node of [...nodes].sort((a, b) => data.heat[b] - data.heat[a] || a - b).slice(0, 40)) {
      const item = element("li"), button = element("button", data.paths[node]);
      button.type = "button";
      button.addEventListener("click", () => select(node, true));
      item.append(button);
      list.append(item);
    }
    if (nodes.length > 40) list.append(element("li", `${nodes.length - 40} more`));
    part.append(list);
    return part;
  };
  const showDetail = (node) => {
    detail.replaceChildren();
    detail.hidden = node < 0;
    if (node < 0) return;
    const close = element("button", "\u00d7", "close");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => { select(-1, false); canvas.focus(); });
    const facts = element("dl");
    const fact = (name, value) => facts.append(element("dt", name), element("dd", value));
    fact("community", data.groups[data.group[node]].name);
    fact("language", data.languages[node] || "none");
    fact("lines", data.lines[node].toLocaleString("en"));
    fact(data.heatName, data.heat[node].toFixed(3));
    if (data.heatName !== "importance") fact("importance", data.importance[node].toFixed(3));
    detail.append(close, element("h3", data.paths[node]), facts, listOf("Imports", imports[node]), listOf("Imported by", importers[node]));
    detail.scrollTop = 0;
  };
  const select = (node, isCentred) => {
    state.selected = node;
    showDetail(node);
    if (node >= 0 && isCentred) {
      view.scale = Math.max(view.scale, 0.9);
      view.x = data.x[node];
      view.y = data.y[node];
    }
    draw();
  };
  const step = (direction) => {
    const order = state.matches !== null ? byHeat.filter((node) => state.matches.has(node)) : byHeat;
    if (!order.length) return;
    const place = order.indexOf(state.selected);
    const next = place < 0 ? (direction > 0 ? 0 : order.length - 1) : (place + direction + order.length) % order.length;
    select(order[next], true);
  };
  const find = () => {
    const wanted = search.value.trim().toLowerCase();
    state.matches = wanted ? new Set(byHeat.filter((node) => data.paths[node].toLowerCase().includes(wanted))) : null;
    hits.textContent = wanted ? `${state.matches.size} found` : "";
    draw();
  };

  // Input

  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { search.value = ""; find(); canvas.focus(); }
  });
  for (const radio of document.querySelectorAll("input[name=colour]")) {
    radio.addEventListener("change", () => { state.byGroup = radio.value === "group" && radio.checked; draw(); });
  }
  document.getElementById("zoom-in").addEventListener("click", () => zoom(1.4));
  document.getElementById("zoom-out").addEventListener("click", () => zoom(1 / 1.4));
  document.getElementById("fit").addEventListener("click", fit);
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: fit, n: () => step(1), p: () => step(-1),
      "/": () => search.focus(), Escape: () => select(-1, false),
    };
    if (event.key in moves) {
      const [x, y] = moves[event.key];
      view.x += (x * 60) / view.scale;
      view.y += (y * 60) / view.scale;
      drawMoving();
    } else if (event.key in actions) {
      actions[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  });
  canvas.addEventListener("wheel", (event) => {
    // The page scrolls unless the graph has the focus or a key is held: pages that catch the wheel are a trap.
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0016), event.offsetX, event.offsetY);
  }, { passive: false });
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = { x: event.offsetX, y: event.offsetY, viewX: view.x, viewY: view.y, hasMoved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (held === null) {
      const over = nodeAt(event.offsetX, event.offsetY);
      if (over !== state.hovered) { state.hovered = over; canvas.style.cursor = over < 0 ? "" : "pointer"; drawMoving(); }
      return;
    }
    const x = event.offsetX - held.x, y = event.offsetY - held.y;
    if (Math.hypot(x, y) > 4) { held.hasMoved = true; canvas.classList.add("dragging"); }
    if (held.hasMoved) { view.x = held.viewX - x / view.scale; view.y = held.viewY - y / view.scale; drawMoving(); }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held !== null && !held.hasMoved) select(nodeAt(event.offsetX, event.offsetY), false);
    held = null;
    canvas.classList.remove("dragging");
  });
  canvas.addEventListener("pointercancel", () => { held = null; canvas.classList.remove("dragging"); });

  // Tables

  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("th").forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const isFalling = head.getAttribute("aria-sort") === "ascending"
          || (head.classList.contains("number") && head.getAttribute("aria-sort") !== "descending");
        table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", isFalling ? "descending" : "ascending");
        const value = (row) => row.children[column].dataset.sort;
        const rows = [...table.tBodies[0].rows].map((row) => [value(row), row]);
        const isNumeric = rows.every(([text]) => text !== "" && Number.isFinite(Number(text)));
        rows.sort(([a], [b]) => (isNumeric ? a - b : a < b ? -1 : a > b ? 1 : 0) * (isFalling ? -1 : 1));
        table.tBodies[0].append(...rows.map(([, row]) => row));
      });
    });
  }

  readColours();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); draw(); });
  let hasFitted = false;
  new ResizeObserver(() => { if (hasFitted) draw(); else { hasFitted = true; fit(); } }).observe(canvas);
  canvas.dataset.nodes = String(count);
})();
