
// Puts the sections on the page. A section without data is left out.

// `before`: the section that it goes before; none: at the end.
function addSection(id, title, build, before) {
  const content = build();
  if (!content) return;
  const section = element("section", { id, "aria-labelledby": id + "-title" }, element("h2", { id: id + "-title" }, title), content);
  const link = element("a", { href: "#" + id }, title);
  document.getElementById("sections").insertBefore(section, before ? document.getElementById(before) : null);
  document.getElementById("contents").insertBefore(link, before ? document.querySelector("#contents a[href='#" + before + "']") : null);
}

// The report as a file, for scripts.
function saveReport(event) {
  event.preventDefault();
  const link = element("a", { href: URL.createObjectURL(new Blob([document.getElementById("report").textContent], { type: "application/json" })),
    download: "tauprof-report.json" });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function main() {
  describeRun();
  addSection("repairs", report.verdict ? "Verdict and repairs" : "Findings", overviewSection);
  addSection("progress", "Progress", progressSection);
  addSection("job", "What if nothing straggled", jobSection);
  addSection("steps", report.steps && report.steps.unit === "slice" ? "Slices of time" : "Step times", stepsSection);
  addSection("ledger", "Where the time goes", ledgerSection);
  addSection("efficiency", "Efficiency", efficiencySection);
  addSection("stragglers", "Who waits for whom", stragglersSection);
  addSection("timeline", "Timeline", timelineSection);
  addSection("collectives", "Collectives", collectivesSection);
  addSection("phases", "Phases", phasesSection);
  addSection("input", "Input", inputSection);
  addSection("pipeline", "Pipeline", pipelineSection);
  addSection("memory", "Memory", memorySection);
  addSection("kernels", "Kernels and calls", kernelsSection);
  addSection("recording", "Recording", recordingSection);
  document.getElementById("save").addEventListener("click", saveReport);
  for (const draw of afterPlaced.splice(0)) draw();
  const data = await unpackTimeline();
  addHeatMap(data.caused);
  addTelemetry(data.telemetry);
  for (const draw of afterPlaced.splice(0)) draw();
  buildTimeline(data);
  addEventListener("hashchange", followAddress);
  followAddress();
  document.documentElement.dataset.ready = "yes";
}

main().catch((error) => {
  document.documentElement.dataset.ready = "failed";
  document.body.append(element("p", { role: "alert" }, "This page could not be drawn: " + error.message));
  console.error(error);
});
