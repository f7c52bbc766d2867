"use strict";
// Draws the charts of a report: each stands as data beside its place, and is drawn when it is seen.
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const drawn = new Map();
  const MOST_SVG = 1500; // parts of a picture beyond which it is drawn in pixels
  const MOST_GROUPS = 16; // groups of a timeline that have a legend
  const BORDERS = ["solid", "dashed", "dotted"]; // of cells that are marked
  const ROW = 26; // pixels of a bar or a lane

  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const palette = () => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => style(`--c${n}`));
  const narrow = () => innerWidth < 600;

  // Numbers as pages write them.

  const STEPS = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]];
  function number(value) {
    if (value === null || value === undefined) return "-";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1000) return Math.round(value).toLocaleString("en-US");
    return String(Number(value.toPrecision(4)));
  }
  function text(value, unit) {
    if (value === null || value === undefined) return "-";
    if (unit === "%") return `${number(100 * value)}%`;
    if (unit === "B") {
      const step = STEPS.find(([least]) => Math.abs(value) >= least);
      return step ? `${number(value / step[0])} ${step[1]}` : `${number(value)} B`;
    }
    return unit ? `${number(value)} ${unit}` : number(value);
  }
  function plainText(words) { // a node that shows words, whatever they hold
    const made = document.createElement("div");
    made.style.whiteSpace = "pre-line";
    made.textContent = words;
    return made;
  }
  const titled = (one) => (one.unit ? `${one.label} (${one.unit})` : one.label);
  const shortened = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words);

  // What ECharts draws of each kind of chart.

  function shared(fill) {
    const ink = style("--text"), line = style("--line");
    const ends = { axisLine: { lineStyle: { color: line } }, axisLabel: { color: ink }, nameTextStyle: { color: ink } };
    return {
      axis: (more) => ({ ...ends, splitLine: { lineStyle: { color: line } }, nameLocation: "middle", ...more,
        axisLabel: { ...ends.axisLabel, ...(more.axisLabel || {}) } }),
      base: {
        animation: false, color: palette(), backgroundColor: "transparent", textStyle: { color: ink },
        aria: { enabled: true },
        tooltip: { confine: true, backgroundColor: style("--back"), borderColor: line, textStyle: { color: ink }, formatter: fill },
        legend: { type: "scroll", top: 0, textStyle: { color: ink }, pageTextStyle: { color: ink } },
      },
      ink, line,
    };
  }

  const KINDS = {
    bars(chart) {
      const { axis, base } = shared((p) => plainText(`${p.name}\n${p.seriesName}: ${text(p.value, chart.unit)}`));
      const many = chart.series.length > 1;
      const alone = chart.stacked && chart.categories.every((_, k) => chart.series.filter((one) => one.values[k] !== null).length < 2);
      const room = Math.min(narrow() ? 140 : 260, 22 + 7.4 * Math.max(...chart.categories.map((c) => c.length)));
      return {
        height: chart.categories.length * ROW * (many && !chart.stacked ? Math.max(1, chart.series.length * 0.6) : 1) + (many ? 70 : 40),
        parts: chart.categories.length * chart.series.length,
        option: {
          ...base, legend: { ...base.legend, show: many },
          grid: { left: room, right: 60, top: many ? 30 : 6, bottom: 28 },
          xAxis: axis({ type: "value", axisLabel: { formatter: (v) => text(v, chart.unit), hideOverlap: true },
            max: chart.stacked && chart.unit === "%" ? 1 : null }),
          yAxis: axis({ type: "category", inverse: true, data: chart.categories,
            axisLabel: { width: room - 10, overflow: "truncate", interval: 0 } }),
          series: chart.series.map((one) => ({
            type: "bar", name: one.name, barMaxWidth: 22, data: one.values, stack: chart.stacked ? "all" : undefined,
            label: { show: !chart.stacked || alone, position: "right", color: style("--text"), formatter: (p) => text(p.value, chart.unit) },
          })),
        },
      };
    },
    xy(chart) {
      const told = (p) => `${text(p.value[1], chart.y.unit)}${p.data.low === undefined ? "" : ` (${text(p.data.low, chart.y.unit)} to ${text(p.data.high, chart.y.unit)})`}`;
      const words = (p) => plainText(`${p.seriesName}${p.data.words ? `: ${p.data.words}` : ""}\n` +
        `${chart.x.label}: ${text(p.value[0], chart.x.unit)}\n${chart.y.label}: ${told(p)}`);
      const { axis, base } = shared(words);
      const all = (key) => chart.series.flatMap((one) => one.points.map((p) => p[key]));
      const said = (one) => one.unit === "%" || one.unit === "B"; // units that stand at each tick
      const power = (one, key, way, end) => (one.log && one.base === 2 ? 2 ** way(Math.log2(end(...all(key)))) : undefined);
      const ends = (one, key, gap) => axis({ type: one.log ? "log" : "value", logBase: one.base,
        interval: one.log && one.base === 2 ? Math.max(1, Math.ceil(Math.log2(Math.max(...all(key)) / Math.min(...all(key))) / 12)) : undefined,
        min: power(one, key, Math.floor, Math.min), max: power(one, key, Math.ceil, Math.max), name: said(one) ? one.label : titled(one),
        nameGap: gap, scale: true, axisLabel: { formatter: (v) => (said(one) ? text(v, one.unit) : number(v)), hideOverlap: true } });
      const point = (p) => ({ value: [p.x, p.y], words: p.label, ...(p.low === null ? {} : { low: p.low, high: p.high }) });
      const whiskers = (one) => ({ // the interval of each point, in the colour of its series
        type: "custom", name: one.name, silent: true, z: 1, encode: { x: 0, y: [1, 2] },
        data: one.points.filter((p) => p.low !== null).map((p) => [p.x, p.low, p.high]),
        renderItem: (params, api) => {
          const [x, low] = api.coord([api.value(0), api.value(1)]), high = api.coord([api.value(0), api.value(2)])[1];
          const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: api.visual("color"), opacity: 0.6, lineWidth: 1.4 } });
          return { type: "group", children: [line(x, low, x, high), line(x - 4, low, x + 4, low), line(x - 4, high, x + 4, high)] };
        },
      });
      return {
        height: 340, parts: chart.series.reduce((sum, one) => sum + one.points.length, 0),
        option: {
          ...base, legend: { ...base.legend, show: chart.series.length > 1 },
          grid: { left: 74, right: 24, top: chart.series.length > 1 ? 34 : 12, bottom: 52 }, xAxis: ends(chart.x, "x", 28), yAxis: ends(chart.y, "y", 56),
          series: [...chart.series.map((one) => ({
            type: one.line ? "line" : "scatter", name: one.name, showSymbol: !one.line || (one.points.length < 40 && (one.points.length > 3 || one.points.some((p) => p.label || p.low !== null))),
            symbolSize: one.line ? 5 : 10, data: one.points.map(point), label: { show: false },
          })), ...chart.series.filter((one) => one.points.some((p) => p.low !== null)).map(whiskers)],
        },
      };
    },
    heat(chart, width) {
      const names = [...new Set(chart.marks.map((m) => m.name))];
      const told = (x, y) => chart.marks.filter((m) => m.x === chart.xs[x] && m.y === chart.ys[y]).map((m) => m.name);
      const { axis, base, ink } = shared((p) => plainText([`${chart.y.label}: ${chart.ys[p.value[1]]}`, `${chart.x.label}: ${chart.xs[p.value[0]]}`,
        text(p.value[2], chart.unit), ...told(p.value[0], p.value[1])].join("\n")));
      const cells = chart.values.flatMap((row, y) => row.map((v, x) => [x, y, v])).filter((cell) => cell[2] !== null);
      const all = cells.map((cell) => cell[2]), least = Math.min(...all), most = Math.max(...all);
      const short = (v) => (chart.unit === "%" || chart.unit === "B" ? text(v, chart.unit) : number(v));
      const room = Math.min(narrow() ? 90 : 200, 16 + 7.2 * Math.max(...chart.ys.map((y) => y.length)));
      const column = (width - room - 58) / chart.xs.length, long = (words) => 4 + 6.6 * Math.max(...words.map((w) => w.length));
      const border = (x, y) => {
        const own = told(x, y);
        return own.length ? { borderColor: ink, borderWidth: 2.5, borderType: BORDERS[names.indexOf(own[0]) % 3] } : { borderColor: style("--raised"), borderWidth: 1 };
      };
      const sorted = [...cells].sort((a, b) => told(a[0], a[1]).length - told(b[0], b[1]).length); // outlines lie above
      return {
        height: chart.ys.length * ROW + 130 + (names.length ? 22 : 0), parts: cells.length,
        option: {
          ...base, legend: { show: false }, grid: { left: room + 34, right: 24, top: names.length ? 30 : 8, bottom: 100 },
          graphic: names.map((name, k) => ({ type: "text", left: 8 + names.slice(0, k).reduce((sum, n) => sum + 6.6 * n.length + 114, 0), top: 4,
            style: { text: `${BORDERS[k % 3]} outline: ${name}`, fill: ink, font: "12px system-ui, sans-serif" } })),
          xAxis: axis({ type: "category", data: chart.xs, name: titled(chart.x), nameGap: 26, splitLine: { show: false }, axisLabel: { interval: long(chart.xs) < column ? 0 : "auto" } }),
          yAxis: axis({ type: "category", data: chart.ys, name: titled(chart.y), nameGap: room + 8, splitLine: { show: false }, axisLabel: { width: room - 6, overflow: "truncate", interval: 0 } }),
          visualMap: { min: least, max: least < most ? most : least + 1, orient: "horizontal", left: "center", bottom: 0, itemHeight: Math.min(140, width / 3), calculable: true,
            precision: 6, textStyle: { color: ink }, formatter: (v) => text(v, chart.unit), inRange: { color: [0.06, 0.8].map((part) => mixed(style("--back"), style("--heat"), part)) } },
          series: [{ type: "heatmap", data: sorted.map((cell) => ({ value: cell, itemStyle: border(cell[0], cell[1]) })),
            label: { show: long(all.map(short)) < column && cells.length <= 400, color: ink, formatter: (p) => short(p.value[2]) }, emphasis: { disabled: true } }],
        },
      };
    },
    timeline(chart) {
      // A span is [lane, begin, end, name, group, slot], the last three by number.
      const { groups } = chart, held = groups.map((_, group) => chart.spans.filter((s) => s[4] === group));
      const edge = style("--raised"), slots = 1 + Math.max(...chart.spans.map((s) => s[5])), colours = palette();
      const { axis, base } = shared((p) => {
        const [lane, begin, end, name, group] = held[p.seriesIndex][p.dataIndex];
        return plainText(`${chart.names[name]}\n${groups[group]}\n${number(begin)} to ${number(end)} ${chart.unit} on ${chart.lanes[lane]}`);
      });
      const draw = (fill) => (params, api) => {
        const from = api.coord([api.value(1), api.value(0)]), to = api.coord([api.value(2), api.value(0)]);
        const whole = api.size([0, 1])[1] * 0.86, high = whole / slots, area = params.coordSys;
        const top = from[1] - whole / 2 + api.value(3) * high;
        const left = Math.max(from[0], area.x), right = Math.min(to[0], area.x + area.width);
        if (right < left) return undefined;
        return { type: "rect", shape: { x: left, y: top, width: Math.max(0.6, right - left), height: Math.max(0.6, high) },
          style: { fill, stroke: edge, lineWidth: high > 2 ? 0.6 : 0.1 } };
      };
      const room = narrow() ? 70 : 140, many = groups.length > 1 && groups.length <= MOST_GROUPS, top = many ? 34 : 8;
      const count = chart.lanes.length, around = 102 + top;
      const height = Math.min(900, Math.max(140, count * Math.max(count > 40 ? 7 : 20, 2 * slots) + around));
      const labelled = Math.ceil((15 * count) / (height - around)); // one lane in so many has room for its name
      return {
        height, parts: chart.spans.length, zooms: true,
        option: {
          ...base, legend: { ...base.legend, show: many }, grid: { left: room, right: 20, top, bottom: 76 },
          xAxis: axis({ type: "value", name: chart.unit, nameGap: 24, axisLabel: { formatter: number, hideOverlap: true } }),
          yAxis: axis({ type: "category", inverse: true, data: chart.lanes, axisLabel: { width: room - 10, overflow: "truncate", interval: (n) => n % labelled === 0 } }),
          dataZoom: [{ type: "slider", bottom: 4, height: 20, filterMode: "weakFilter", labelFormatter: number },
            { type: "inside", filterMode: "weakFilter", zoomOnMouseWheel: "ctrl" }],
          series: groups.map((name, k) => ({ type: "custom", name, renderItem: draw(colours[k % colours.length]), encode: { x: [1, 2], y: 0 }, clip: true,
            itemStyle: { color: colours[k % colours.length] }, data: held[k].map(([lane, begin, end, , , slot]) => [lane, begin, end, slot]) })),
        },
      };
    },
    tree(chart) {
      const { base } = shared((p) => plainText(`${p.name}: ${text(p.value, chart.unit)}`));
      return {
        height: 300, parts: chart.branches.length,
        option: {
          ...base, legend: { show: false },
          series: [{ type: "treemap", left: 0, right: 0, top: 0, bottom: 26, roam: false, breadcrumb: { bottom: 0 }, leafDepth: 2,
            label: { formatter: (p) => `${p.name}: ${text(p.value, chart.unit)}` }, upperLabel: { show: true, height: 22 },
            itemStyle: { borderColor: style("--raised") }, levels: [{ upperLabel: { show: false } }, { itemStyle: { gapWidth: 2, borderWidth: 1 } }],
            data: chart.branches.map((b) => ({ name: b.name, value: b.leaves.reduce((sum, l) => sum + l.value, 0), children: b.leaves })) }],
        },
      };
    },
    flow(chart) {
      const { base, ink } = shared((p) => plainText(p.dataType === "edge"
        ? `${p.data.source} to ${p.data.target}: ${text(p.value, chart.unit)}` : p.name));
      const names = [...new Set(chart.flows.flatMap((f) => [f.source, f.target]))];
      return {
        height: 240, parts: names.length,
        option: {
          ...base, legend: { show: false },
          series: [{ type: "sankey", left: 10, right: narrow() ? 80 : 160, top: 10, bottom: 10, nodeGap: 22, draggable: false, label: { color: ink },
            emphasis: { focus: "adjacency" }, lineStyle: { color: "gradient", opacity: 0.45 },
            edgeLabel: { show: !narrow(), color: ink, formatter: (p) => text(p.value, chart.unit) },
            data: names.map((name) => ({ name })), links: chart.flows.map((f) => ({ source: f.source, target: f.target, value: f.amount })) }],
        },
      };
    },
  };

  function drawChart(figure, plot, chart) {
    const made = KINDS[chart.kind](chart, plot.clientWidth);
    plot.style.height = `${Math.max(120, made.height)}px`;
    const picture = echarts.init(plot, null, { renderer: made.parts > MOST_SVG ? "canvas" : "svg" });
    picture.setOption(made.option);
    if (made.zooms) zoomByKeys(figure, (way) => zoomTime(picture, way));
    return { resize: () => picture.resize(), end: () => picture.dispose() };
  }
  function zoomTime(picture, way) {
    const { start, end } = picture.getOption().dataZoom[0], middle = (start + end) / 2, half = (end - start) / 2;
    const by = { in: 0.6, out: 1 / 0.6 }[way] || 1, shift = { left: -half / 2, right: half / 2 }[way] || 0;
    if (way === "all") picture.dispatchAction({ type: "dataZoom", start: 0, end: 100 });
    else picture.dispatchAction({ type: "dataZoom", start: Math.max(0, middle - half * by + shift), end: Math.min(100, middle + half * by + shift) });
  }

  function drawGraph(figure, plot, chart) {
    plot.style.height = `${Math.min(760, 160 + 34 * chart.nodes.length)}px`;
    const ink = style("--text"), line = style("--muted"), back = style("--back"), warm = style("--heat");
    const graph = cytoscape({
      container: plot, minZoom: 0.05, maxZoom: 4, userZoomingEnabled: false, autoungrabify: true,
      elements: [
        ...chart.nodes.map((n) => ({ data: { id: n.id, label: n.label, heat: n.heat, ...boxOf(n.label) } })),
        ...chart.edges.map((e, k) => ({ data: { id: `edge ${k}`, source: e.source, target: e.target, label: e.label }, classes: e.back ? "back" : "" })),
      ],
      style: [
        { selector: "node", style: { shape: "round-rectangle", label: "data(label)", "text-wrap": "wrap", "text-valign": "center", "font-size": 11,
          "text-max-width": 400, color: ink, width: "data(width)", height: "data(height)", "background-color": (n) => mixed(back, warm, n.data("heat")),
          "border-width": 1, "border-color": line } },
        { selector: "edge", style: { width: 1.4, "curve-style": "bezier", "line-color": line, "target-arrow-shape": "triangle", "target-arrow-color": line,
          label: "data(label)", "font-size": 9, color: ink, "text-background-color": back, "text-background-opacity": 0.8 } },
        { selector: "edge:loop", style: { "curve-style": "bezier", "loop-direction": "90deg", "loop-sweep": "40deg", "control-point-step-size": 60 } },
        { selector: "edge.back", style: { "line-style": "dashed", "line-color": style("--c1"), "target-arrow-color": style("--c1") } },
      ],
      layout: { name: "dagre", nodeSep: 26, rankSep: 40, fit: true, padding: 10 },
    });
    zoomByKeys(figure, (way) => {
      const at = { x: plot.clientWidth / 2, y: plot.clientHeight / 2 }, step = 60;
      if (way === "all") graph.fit(undefined, 10);
      else if (way === "in" || way === "out") graph.zoom({ level: graph.zoom() * (way === "in" ? 1.3 : 1 / 1.3), renderedPosition: at });
      else graph.panBy({ left: { x: step, y: 0 }, right: { x: -step, y: 0 }, up: { x: 0, y: step }, down: { x: 0, y: -step } }[way]);
    });
    plot.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = plot.getBoundingClientRect();
      graph.zoom({ level: graph.zoom() * (event.deltaY < 0 ? 1.15 : 1 / 1.15), renderedPosition: { x: event.clientX - box.left, y: event.clientY - box.top } });
    }, { passive: false });
    return { resize: () => { graph.resize(); graph.fit(undefined, 10); }, end: () => graph.destroy() };
  }
  function boxOf(label) {
    const lines = label.split("\n");
    return { width: 18 + 6.4 * Math.max(...lines.map((line) => line.length)), height: 14 + 14 * lines.length };
  }
  function mixed(back, warm, part) {
    const to = warm.split(",").map(Number), from = [1, 3, 5].map((k) => parseInt(back.slice(k, k + 2), 16));
    const share = 0.75 * Math.max(0, Math.min(1, part));
    return `rgb(${from.map((c, k) => Math.round(c + (to[k] - c) * share)).join(",")})`;
  }

  const KEYS = { "+": "in", "=": "in", "-": "out", 0: "all", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
  function zoomByKeys(figure, move) {
    figure.onkeydown = (event) => {
      if (event.target !== figure || !(event.key in KEYS) || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      move(KEYS[event.key]);
    };
    for (const button of figure.querySelectorAll("button[data-move]")) button.onclick = () => move(button.dataset.move);
  }

  function draw(figure) {
    if (drawn.has(figure)) return;
    const chart = JSON.parse(figure.querySelector("script").textContent), plot = figure.querySelector(".plot");
    drawn.set(figure, (chart.kind === "graph" ? drawGraph : drawChart)(figure, plot, chart));
  }
  const figures = () => document.querySelectorAll("figure[data-chart]");
  function again() {
    for (const [figure, picture] of drawn) { picture.end(); figure.querySelector(".plot").replaceChildren(); }
    const were = [...drawn.keys()];
    drawn.clear();
    were.forEach(draw);
  }

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { draw(entry.target); seen.unobserve(entry.target); }
  }, { rootMargin: "300px" });
  figures().forEach((figure) => seen.observe(figure));
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => drawn.forEach((picture) => picture.resize()), 150); });

  // Light and dark; paper is light.

  const THEMES = ["auto", "light", "dark"];
  function setTheme(theme) {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    document.getElementById("theme").textContent = `theme: ${theme}`;
    again();
  }
  const theme = () => root.dataset.theme || "auto";
  document.getElementById("theme").onclick = () => setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
  prefersDark.addEventListener("change", again);
  let before = "auto";
  addEventListener("beforeprint", () => {
    before = theme();
    document.querySelectorAll("details.part").forEach((part) => { part.open = true; });
    figures().forEach(draw);
    setTheme("light");
  });
  addEventListener("afterprint", () => setTheme(before));

  // Lines of source and of PTX that belong together light up together.

  for (const pair of document.querySelectorAll(".pair")) {
    const rows = [...pair.querySelectorAll("tr[data-line]")];
    const light = (line) => rows.forEach((row) => row.classList.toggle("on", row.dataset.line === line));
    for (const row of rows) {
      const show = () => {
        light(row.dataset.line);
        const other = rows.find((one) => one.dataset.line === row.dataset.line && one.closest(".code") !== row.closest(".code"));
        if (other) { const box = other.closest(".code"); box.scrollTop = other.offsetTop - box.clientHeight / 3; }
      };
      row.onclick = show;
      row.onkeydown = (event) => { if (event.key === "Enter") show(); };
    }
  }

  // Lines of source are shaded by what is chosen; the one with most of it is in sight.

  for (const source of document.querySelectorAll(".source")) {
    const by = source.querySelector("select.by"), rows = source.querySelectorAll("tr[data-heat]");
    const shade = () => rows.forEach((row) => {
      const part = Number(row.dataset.heat.split(",")[by.selectedIndex] || 0), box = row.closest(".code");
      row.style.background = part > 0.004 ? `rgba(var(--heat), ${(0.08 + 0.5 * part).toFixed(3)})` : "";
      if (part === 1) box.scrollTop = row.offsetTop - box.clientHeight / 3;
    });
    by.onchange = shade;
    shade();
  }

  // A link into a folded part opens it.

  function unfold() {
    const place = document.getElementById(location.hash.slice(1)), part = place && place.closest("details.part");
    if (part) { part.open = true; place.scrollIntoView(); }
  }
  addEventListener("hashchange", unfold);
  unfold();
  root.dataset.ready = "yes";
})();
