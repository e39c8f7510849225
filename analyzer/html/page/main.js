
// Puts the page together: first what the terminal's first screen says, then the timeline, then all else, folded.

// The report as a file, for scripts.
function saveReport(event) {
  event.preventDefault();
  const link = element("a", { href: URL.createObjectURL(new Blob([reportText], { type: "application/json" })),
    download: "tauprof-report.json" });
  link.click();
  URL.revokeObjectURL(link.href);
}

function addSections(data) {
  addSection("progress", "Progress", progressSection, { isThere: hasProgress, isOpen: true });
  addSection("timeline", "Timeline", () => timelineSection(data), { isThere: hasTimeline, isOpen: true });
  addSection("job", "What if nothing straggled", jobSection, { isThere: hasJob, isOpen: true });
  addSection("stragglers", "Who waits for whom", () => stragglersSection(data.caused), { isThere: hasStragglers, gist: stragglersGist });
  addSection("steps", report.steps && report.steps.unit === "slice" ? "Slices of time" : "Step times", stepsSection, { isThere: hasSteps, gist: stepsGist });
  addSection("ledger", "Where the time goes", ledgerSection, { isThere: hasLedger, gist: ledgerGist });
  addSection("efficiency", "Efficiency", efficiencySection, { isThere: hasEfficiency, gist: efficiencyGist });
  addSection("parallelism", "Parallelism", parallelismSection, { isThere: hasParallelism, gist: parallelismGist });
  addSection("collectives", "Collectives", collectivesSection, { isThere: hasCollectives, gist: collectivesGist });
  addSection("phases", "Phases", phasesSection, { isThere: hasPhases });
  addSection("input", "Input", inputSection, { isThere: hasInput });
  addSection("pipeline", "Pipeline", pipelineSection, { isThere: hasPipeline });
  addSection("memory", "Memory", memorySection, { isThere: hasMemory, gist: () => "largest peak of a rank " + formatted(report.memory.peak_bytes, "bytes") });
  addSection("telemetry", "Telemetry", () => telemetrySection(data.telemetry), { isThere: () => hasTelemetry(data.telemetry) });
  addSection("operators", operatorsTitle(), operatorsSection, { isThere: hasOperators, gist: operatorsGist });
  addSection("kernels", "Kernels and calls", kernelsSection, { isThere: hasKernels, gist: kernelsGist });
  addSection("recording", "Recording", recordingSection, { gist: recordingGist });
}

async function main() {
  await unpackReport();
  rankOrder = new RankOrder();
  describeRun();
  showFirstScreen();
  const data = await unpackTimeline();
  addSections(data);
  keepClearOfContents();
  document.getElementById("save").addEventListener("click", saveReport);
  document.getElementById("open-all").addEventListener("click", openAllSections);
  if (timeline) await timeline.ready;
  addEventListener("hashchange", followAddress);
  await followAddress();
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  document.documentElement.dataset.drawnAfter = Math.round(performance.now());
  document.documentElement.dataset.ready = "yes";
  (window.requestIdleCallback || setTimeout)(buildInSpareTime);
}

main().catch((error) => {
  document.documentElement.dataset.ready = "failed";
  document.body.append(element("p", { role: "alert" }, "This page could not be drawn: " + error.message));
  console.error(error);
});
