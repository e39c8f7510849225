
// Puts the sections on the page. A section without data is left out.

function addSection(id, title, build) {
  const content = build();
  if (!content) return;
  document.getElementById("sections").append(element("section", { id, "aria-labelledby": id + "-title" }, element("h2", { id: id + "-title" }, title), content));
  document.getElementById("contents").append(element("a", { href: "#" + id }, title));
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
  for (const draw of afterPlaced) draw();
  const data = await unpackTimeline();
  addHeatMap(data.caused);
  for (const draw of afterPlaced) draw();
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
