// Draws the charts that the page's data block describes. Colours are the page's own, so that light and dark both hold.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const print = matchMedia("print");

  /** What a chart may take: a sheet of A4 or Letter, else the window. */
  const widest = () => print.matches ? 700 : Math.min(1040, document.body.clientWidth - 32);
  let drawn = [];

  /** Each bar's value behind its end. */
  const values = {
    id: "values",
    afterDatasetsDraw(chart) {
      const pen = chart.ctx;
      pen.save();
      pen.font = "10px system-ui, sans-serif";
      pen.fillStyle = colour("--soft");
      pen.textBaseline = "middle";
      chart.data.datasets.forEach((set, i) => chart.getDatasetMeta(i).data.forEach((bar, k) => {
        pen.fillText(set.data[k].toFixed(set.digits), bar.x + 4, bar.y);
      }));
      pen.restore();
    }
  };

  /** Streams stand side by side: one scale for all. */
  const highest = Math.ceil(Math.max(1, ...data.charts.filter(chart => chart.place === "streams")
    .flatMap(chart => chart.series.flatMap(one => one.values))));

  const axis = (title, more) => ({
    title: { display: title !== "", text: title, color: colour("--soft"), font: { size: 11 } },
    ticks: { color: colour("--soft"), font: { size: 11 }, ...more?.ticks },
    grid: { color: colour("--line") },
    border: { color: colour("--soft") },
    ...more?.axis
  });

  const options = (scales, more) => ({
    animation: false, responsive: true, maintainAspectRatio: false, scales,
    plugins: { legend: { display: false }, tooltip: { mode: "nearest", intersect: false } }, ...more
  });

  function bars(chart) {
    const sets = chart.series.map(one => ({
      label: one.name, data: one.values, digits: chart.digits, backgroundColor: colour("--c" + one.colour),
      barPercentage: 0.92, categoryPercentage: 0.84, borderRadius: 1.5
    }));
    return {
      type: "bar", data: { labels: chart.categories, datasets: sets }, plugins: [values],
      options: options({
        x: axis(chart.xTitle, { axis: { beginAtZero: true, ...(chart.max > 0 ? { max: chart.max } : {}) } }),
        y: axis("", { ticks: { autoSkip: false, color: colour("--ink") }, axis: { grid: { display: false } } })
      }, { indexAxis: "y", layout: { padding: { right: 34 } } })
    };
  }

  function lines(chart) {
    const sets = chart.series.map(one => ({
      label: one.name, data: one.values.map((y, i) => ({ x: chart.x[i], y })), borderColor: colour("--c" + one.colour),
      backgroundColor: colour("--c" + one.colour), borderWidth: 1.8, pointRadius: 2, clip: false
    }));
    if (chart.diagonal) {
      sets.push({ label: "as predicted", data: [{ x: 0, y: 0 }, { x: 1, y: 1 }], borderColor: colour("--soft"),
        borderDash: [4, 4], borderWidth: 1, pointRadius: 0 });
    }
    const common = chart.place === "streams" ? { max: highest } : {};
    const unit = chart.diagonal ? { min: 0, max: 1 } : { beginAtZero: true, ...common };
    const fifths = chart.diagonal ? { stepSize: 0.2 } : {};
    const labelled = chart.diagonal || chart.ticks.length > 0;
    const ticked = chart.ticks.length > 0
      ? { afterBuildTicks: scale => { scale.ticks = chart.ticks.map(value => ({ value })); } } : {};
    return {
      type: "line", data: { datasets: sets },
      options: options({
        x: axis(chart.xTitle, {
          ticks: { display: labelled, ...fifths },
          axis: { type: "linear", ...(chart.diagonal ? unit : { max: chart.x[chart.x.length - 1] }), grid: { display: labelled, color: colour("--line") }, ...ticked }
        }),
        y: axis(chart.yTitle, { ticks: fifths, axis: unit })
      })
    };
  }

  function draw(chart) {
    const figure = document.createElement("figure");
    const caption = figure.appendChild(document.createElement("figcaption"));
    caption.textContent = chart.title;
    const box = figure.appendChild(document.createElement("div"));
    box.className = "chart";
    const rows = chart.kind === "bars" ? chart.categories.length * (chart.series.length * 13 + 8) + 34 : chart.height;
    box.style.width = Math.min(widest(), chart.width) + "px";
    box.style.height = rows + "px";
    const canvas = box.appendChild(document.createElement("canvas"));
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", chart.title);
    document.getElementById(chart.place).appendChild(figure);
    drawn.push(new Chart(canvas, chart.kind === "bars" ? bars(chart) : lines(chart)));
  }

  function drawAll() {
    drawn.forEach(chart => chart.destroy());
    drawn = [];
    document.querySelectorAll(".charts").forEach(place => place.replaceChildren());
    data.charts.forEach(draw);
  }

  document.querySelectorAll("table.all").forEach(tables.sortable);
  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  print.addEventListener("change", drawAll);
})();
