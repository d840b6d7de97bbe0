"use strict";
// Asks for the state twice a second and shows it. When the quickstart has ended, the last state stays.
const INTERVAL_MS = 500;
const PHASES = {
  STARTING: "Starting the servers",
  STREAMING: "Streaming",
  CHECKING: "Checking that every record is stored once",
  FINISHED: "Finished",
  FAILED: "Failed, see the messages",
};
const format = new Intl.NumberFormat("en");
const known = (number, unit = "") => number === null || number === undefined ? "unknown" : format.format(number) + unit;
const minute = (millis) => new Date(millis).toISOString().slice(0, 16).replace("T", " ");
const metres = (level) => `${level.toFixed(2)} m`;

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function show(state) {
  document.body.className = `ready ${state.phase} ${state.changes ? "changes" : ""}`;
  write(document.getElementById("phase"), PHASES[state.phase] + ending(state));
  write(document.getElementById("time"), state.seconds === undefined || state.changes ? "" : `${state.seconds.toFixed(1)} s`);
  if (state.total) {
    write(document.getElementById("produced"), known(state.produced));
    write(document.getElementById("total"), state.changes ? "Rows at the source" : `Records produced, of ${known(state.total)}`);
    document.getElementById("produced-bar").value = state.produced / state.total;
  }
  const levels = Object.values(state.sinks ?? {}).flatMap((sink) => sink.tide?.levels ?? []);
  for (const card of document.querySelectorAll("article")) showSink(card, state, levels);
  showLines(state.lines);
}

function ending(state) {
  if (state.phase === "FINISHED") return state.ended ? ". The servers have stopped" : "";
  return state.ended && state.phase !== "FAILED" ? ". Stopped before the end: this is the last state" : "";
}

function showSink(card, state, levels) {
  const part = (name) => card.querySelector(`[data-is=${name}]`);
  const results = state.lines.filter((line) => new RegExp(`^(RESULT|LATENCY) ${card.id} `).test(line));
  if (results.length) write(part("result"), results.join("\n"));
  if (state.changes) write(part("unit"), "Rows as at the source");
  if (!state.sinks) return;
  const sink = state.sinks[card.id];
  if (!sink) {
    for (const name of ["stored", "rate", "lag", "inFlight", "connections", "level"]) write(part(name), "not used");
    return;
  }
  write(part("stored"), known(sink.stored));
  card.querySelector("progress").value = sink.stored / state.total;
  write(part("rate"), known(sink.rate, "/s"));
  for (const name of ["lag", "inFlight", "connections"]) write(part(name), known(sink[name]));
  if (sink.tide?.levels.length) showTide(card, part, sink.tide, levels);
  else write(part("level"), "unknown");
}

// All levels, so that the curves of both stores have the same scale.
function showTide(card, part, tide, levels) {
  const times = levels.map(([time]) => time), heights = levels.map(([, height]) => height);
  const [from, to, low, high] = [Math.min(...times), Math.max(...times), Math.min(...heights), Math.max(...heights)];
  const x = (time) => to > from ? 480 * (time - from) / (to - from) : 0;
  const y = (height) => high > low ? 116 - 112 * (height - low) / (high - low) : 60;
  card.querySelector("path").setAttribute("d", "M" + tide.levels.map(([t, h]) => `${x(t).toFixed(1)} ${y(h).toFixed(1)}`).join("L"));
  write(part("level"), `${tide.station}: ${metres(tide.levels[tide.levels.length - 1][1])}`);
  write(part("highest"), metres(high));
  write(part("lowest"), metres(low));
  write(part("times"), `${minute(from)} to ${minute(to)} UTC`);
}

function showLines(lines) {
  const box = document.getElementById("lines");
  const atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
  write(box, lines.join("\n"));
  if (atEnd) box.scrollTop = box.scrollHeight;
}

let last = { phase: "STARTING", lines: [] };
let failures = 0;

async function follow() {
  try {
    last = await (await fetch("state")).json();
    failures = 0;
  } catch (e) {
    last.ended = ++failures >= 3; // It was killed, so it could not say so.
  }
  show(last);
  if (!last.ended) setTimeout(follow, INTERVAL_MS);
}

follow();
