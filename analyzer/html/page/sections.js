
// The page's sections. All but the first are folded to a line with what matters most in them, and built when they are opened or
// when the browser has nothing else to do: so they are there for its own search, too.

const sections = new Map();

// `build`: its content; null: it has none, and is left out. `gist`: its line.
function addSection(id, title, build, options) {
  const { gist, isOpen, isThere } = options || {};
  if (isThere && !isThere()) return;
  const body = element("div", { class: "body" });
  const fold = element("details", { open: Boolean(isOpen) }, element("summary", {}, element("h2", { id: id + "-title" }, title),
    element("span", { class: "gist" }, gist ? gist() : null)), body);
  const section = element("section", { id, "aria-labelledby": id + "-title" }, fold);
  const link = element("a", { href: "#" + id, onclick: () => openSection(id) }, title);
  const entry = { section, link, fold, isBuilt: false, build: () => {
    if (entry.isBuilt) return;
    entry.isBuilt = true;
    const content = build();
    if (content) body.append(...[content].flat(Infinity).filter(Boolean));
    else { section.remove(); link.remove(); sections.delete(id); }
  } };
  fold.addEventListener("toggle", entry.build);
  sections.set(id, entry);
  document.getElementById("sections").append(section);
  document.getElementById("contents").append(link);
  if (isOpen) entry.build();
}

function openSection(id) {
  const entry = sections.get(id);
  if (!entry) return;
  entry.build();
  entry.fold.open = true;
}

// The list of sections stays in view, in as many lines as it needs: what a link leads to ends below it.
function keepClearOfContents() {
  const contents = document.getElementById("contents");
  const keep = () => { document.documentElement.style.scrollPaddingTop = contents.offsetHeight + 8 + "px"; };
  new ResizeObserver(keep).observe(contents);
  keep();
}

function openAllSections() { for (const id of [...sections.keys()]) openSection(id); }

// Builds what is still folded, piece by piece, and says when all is there.
function buildInSpareTime() {
  const next = [...sections.values()].find((entry) => !entry.isBuilt);
  if (!next) { document.documentElement.dataset.built = "yes"; return; }
  next.build();
  (window.requestIdleCallback || setTimeout)(buildInSpareTime);
}

addEventListener("beforeprint", openAllSections);
