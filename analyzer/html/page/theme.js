
// Colours live in the style sheet alone. What is drawn is drawn again when they change, also for paper.

const redraws = [];
let colors = getComputedStyle(document.documentElement);

function colorOf(name) { return colors.getPropertyValue("--" + name).trim(); }

// Black or white, whichever is easier to read on a fill. One of them always has a contrast of 4.5 or more.
function inkOn(color) {
  const light = (at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
  };
  const luminance = 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5);
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? "#000" : "#fff";
}

// Runs `draw` now and whenever the colours change.
function themed(draw) {
  redraws.push(draw);
  draw();
}

function redrawAll() {
  colors = getComputedStyle(document.documentElement);
  for (const draw of redraws) draw();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
matchMedia("print").addEventListener("change", redrawAll);

// Runs `draw` as soon as the box has a place on the page: in a closed section it has none.
function whenPlaced(box, draw) {
  const observer = new ResizeObserver(() => {
    if (box.clientWidth === 0) return;
    observer.disconnect();
    draw();
  });
  observer.observe(box);
}

// A chart of Chart.js in a box of its own. `options()` is asked again when colours change.
function chart(height, label, options) {
  const canvas = element("canvas", { role: "img", "aria-label": label });
  const box = element("div", { class: "chart" }, canvas);
  box.style.height = height + "px";
  let drawn = null;
  const draw = () => {
    if (box.clientWidth === 0) return;
    if (drawn) drawn.destroy();
    const config = options();
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    Chart.defaults.color = colorOf("quiet");
    Chart.defaults.borderColor = colorOf("line");
    config.options = { animation: false, responsive: true, maintainAspectRatio: false, ...config.options };
    drawn = new Chart(canvas, config);
  };
  redraws.push(draw);
  whenPlaced(box, draw);
  return box;
}

function axis(title, more) {
  return { title: { display: Boolean(title), text: title }, grid: { color: colorOf("line") }, ...more };
}
