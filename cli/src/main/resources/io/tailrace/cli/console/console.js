// Draws the charts that the page's canvases describe, makes its tables sortable, and follows: asks for the page again and puts in what is new.
(() => {
  const FOLLOW_MILLIS = 2000;
  /** Where the keyboard may be while the page is put in anew. */
  const STOPS = ":is(.scroll, thead button)";
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const HOUR_MILLIS = 3600000;
  const iso = millis => new Date(millis).toISOString().replace("T", " ");
  /** A time on an axis: as much of it as tells its ticks apart. */
  const tick = (millis, span) => iso(millis).slice(...(span < HOUR_MILLIS ? [11, 19] : span < 24 * HOUR_MILLIS ? [11, 16] : [5, 16]));
  let drawn = [];

  const axis = (title, more) => ({
    title: { display: title !== "", text: title, color: colour("--soft"), font: { size: 11 } },
    grid: { color: colour("--line") },
    border: { color: colour("--soft") },
    ...more,
    ticks: { color: colour("--soft"), font: { size: 11 }, ...more?.ticks }
  });

  /** Further sets have the colours again, their lines dashed. */
  const set = (one, i) => ({
    label: one.name, borderColor: colour("--c" + i % 4), backgroundColor: colour("--c" + i % 4), borderWidth: 1.8, pointRadius: 2,
    borderDash: i < 4 ? [] : [4, 2 + i]
  });

  const options = (scales, many) => ({
    animation: false, responsive: true, maintainAspectRatio: false, scales,
    plugins: { legend: { display: many, labels: { color: colour("--ink") } } }
  });

  function line(chart) {
    const sets = chart.series.map((one, i) => ({ ...set(one, i), data: one.values.map(([x, y, said]) => ({ x, y, said })) }));
    const times = chart.kind === "line";
    const all = sets.flatMap(one => one.data.map(point => point.x));
    const span = Math.max(...all) - Math.min(...all);
    const ticks = { maxTicksLimit: 6, maxRotation: 0, ...(times ? { callback: millis => tick(millis, span) } : {}) };
    const x = axis(chart.xTitle, { type: "linear", ticks });
    const drawing = options({ x, y: axis(chart.yTitle, { beginAtZero: true }) }, sets.length > 1);
    if (times) {
      drawing.plugins.tooltip = { callbacks: { title: points => iso(points[0].parsed.x).slice(0, 19), afterLabel: point => point.raw.said } };
    }
    return { type: "line", data: { datasets: sets }, options: drawing };
  }

  function bars(chart) {
    const sets = chart.series.map((one, i) => ({ ...set(one, i), data: one.values }));
    return {
      type: "bar", data: { labels: chart.categories, datasets: sets },
      options: options({ x: axis(""), y: axis(chart.yTitle, { beginAtZero: true }) }, sets.length > 1)
    };
  }

  const live = what => [...document.querySelectorAll("#live " + what)];

  function draw() {
    drawn.forEach(chart => chart.destroy());
    drawn = [...document.querySelectorAll("canvas[data-chart]")].map(canvas => {
      const chart = JSON.parse(canvas.dataset.chart);
      return new Chart(canvas, chart.kind === "bars" ? bars(chart) : line(chart));
    });
  }

  const button = document.getElementById("follow");
  const following = () => button.getAttribute("aria-pressed") === "true";
  let timer = 0;

  /** Not while somebody is at a form or selects text: what they do would be lost. */
  function busy() {
    const at = document.activeElement;
    return !getSelection().isCollapsed || (at && at.closest("#live form") !== null);
  }

  /** Scrolled, sorted and focused as before. */
  function replace(fresh) {
    const scrolled = live(".scroll").map(box => box.scrollLeft);
    const before = new Map(live("table").map(table => [table.caption.textContent, table]));
    const focus = live(STOPS).indexOf(document.activeElement);
    document.getElementById("live").replaceWith(fresh);
    live(".scroll").forEach((box, i) => { box.scrollLeft = scrolled[i] ?? 0; });
    prepare();
    live("table").forEach(table => {
      const earlier = before.get(table.caption.textContent);
      if (earlier) {
        tables.sortAs(table, earlier);
      }
    });
    live(STOPS)[focus]?.focus({ preventScroll: true });
  }

  function prepare() {
    live("table").forEach(tables.sortable);
    draw();
  }

  async function again() {
    try {
      const answer = busy() ? null : await fetch(location.href);
      if (answer && answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        replace(page.getElementById("live"));
      }
    } catch (unreachable) {
      button.textContent = "Follow (no answer)";
    }
    timer = following() ? setTimeout(again, FOLLOW_MILLIS) : 0;
  }

  button.hidden = ["/generation", "/act"].includes(location.pathname);
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!following()));
    button.textContent = following() ? "Following" : "Follow";
    clearTimeout(timer);
    timer = following() ? setTimeout(again, 0) : 0;
  });
  prepare();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
