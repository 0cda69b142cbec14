"use strict";
// Asks for /status.json every second and shows what changed since the answer before. Text only, never markup.

const HISTORY = 120;
const history = { out: [], requests: [] };
let last = null;

const at = (id) => document.getElementById(id);

function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) { n /= 1024; unit++; }
  return `${n < 10 && unit > 0 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`;
}

function seconds(s) {
  if (s === null || Number.isNaN(s)) return "–";
  if (s < 0.001) return `${Math.round(s * 1e6)} µs`;
  if (s < 1) return `${s < 0.01 ? (s * 1000).toFixed(1) : Math.round(s * 1000)} ms`;
  if (s < 120) return `${s.toFixed(1)} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  return s < 172800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86400)} days`;
}

const count = (n) => (n < 10 && n % 1 !== 0 ? n.toFixed(1) : Math.round(n).toLocaleString("en"));
const share = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)} %` : "–");

function pairs(id, rows) {
  const cells = rows.flatMap(([name, value, bad]) => {
    const term = document.createElement("dt");
    const detail = document.createElement("dd");
    term.textContent = name;
    detail.textContent = value;
    detail.className = bad ? "bad" : "";
    return [term, detail];
  });
  at(id).replaceChildren(...cells);
}

function bars(id, rows) {
  at(id).replaceChildren(...rows.map(([name, text, value, max, high]) => {
    const bar = document.createElement("div");
    const line = document.createElement("div");
    const label = document.createElement("span");
    const amount = document.createElement("span");
    const meter = document.createElement("meter");
    bar.className = "bar";
    label.textContent = name;
    amount.textContent = text;
    line.append(label, amount);
    Object.assign(meter, { min: 0, max, low: 0, high: high * max, optimum: 0, value });
    meter.setAttribute("aria-label", name);
    bar.append(line, meter);
    return bar;
  }));
}

function line(id, values) {
  const top = Math.max(...values, 1e-9);
  const step = 120 / (HISTORY - 1);
  const start = 120 - (values.length - 1) * step;
  const points = values.map((v, i) => `${(start + i * step).toFixed(1)} ${(31 - (29 * v) / top).toFixed(1)}`);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", `M${start.toFixed(1)} 32 L${points.join(" L")} L120 32 Z`);
  at(id).replaceChildren(path);
}

// the quantile of what was counted since the answer before, from cumulative buckets [[upper bound, count]]
function quantile(q, now, before) {
  const grown = now.map(([bound, n], i) => [bound, n - (before[i] ? before[i][1] : 0)]);
  const total = grown.length ? grown[grown.length - 1][1] : 0;
  if (total <= 0) return null;
  let lower = 0;
  let below = 0;
  for (const [bound, n] of grown) {
    if (n >= q * total) {
      return bound === null ? lower : lower + ((bound - lower) * (q * total - below)) / Math.max(n - below, 1);
    }
    lower = bound;
    below = n;
  }
  return lower;
}

function show(now) {
  const before = last || now;
  const time = Math.max((now.time - before.time) / 1000, 0.001);
  const rate = (name) => (last ? Math.max(0, (now.totals[name] - before.totals[name]) / time) : 0);
  const phase = at("phase");
  phase.textContent = now.phase;
  phase.className = `badge ${now.phase === "serving" ? "good" : "bad"}`;
  at("about").textContent =
    `${now.version} · ${now.transport} · ${now.platform} · up ${seconds(now.uptime)}`;

  const warnings = now.warnings.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  });
  at("warnings").replaceChildren(...warnings);
  at("trouble").hidden = warnings.length === 0;

  at("out").textContent = `${bytes(rate("sent"))}/s`;
  at("requests").textContent = count(rate("requests"));
  if (last) {
    history.out.push(rate("sent"));
    history.requests.push(rate("requests"));
    for (const values of Object.values(history)) if (values.length > HISTORY) values.shift();
    line("out-line", history.out);
    line("requests-line", history.requests);
  }
  pairs("throughput", [
    ["from clients", `${bytes(rate("received"))}/s`],
    ["from the store", `${bytes(rate("store-received"))}/s`],
    ["to the store", `${bytes(rate("store-sent"))}/s`],
  ]);
  pairs("request-list", [
    ["in flight", count(now["in-flight"])],
    ["client connections", count(now.connections)],
    ["refused", `${count(rate("rejected"))}/s`, rate("rejected") > 0],
    ["5xx", `${count(rate("errors"))}/s`, rate("errors") > 0],
  ]);
  const first = (q) => seconds(quantile(q, now["first-byte"], before["first-byte"]));
  const whole = (q) => seconds(quantile(q, now.duration, before.duration));
  pairs("latency", [
    ["first byte, median", first(0.5)], ["first byte, p99", first(0.99)],
    ["whole answer, median", whole(0.5)], ["whole answer, p99", whole(0.99)],
    ["store’s answer, p99", seconds(quantile(0.99, now.store, before.store))],
  ]);
  pairs("store", [
    ["tries", `${count(rate("store-tries"))}/s`],
    ["failed", `${count(rate("store-failures"))}/s`, rate("store-failures") > 0],
    ["connections", count(now["store-connections"])],
    ["of them idle", count(now["store-idle"])],
    ["retries", `${count(rate("retries"))}/s`],
    ["second tries for late ones", `${count(rate("hedges"))}/s`],
  ]);
  const hits = now.totals["cache-hits"];
  pairs("cache", [
    ["reads from memory, now", share(rate("cache-hits"), rate("cache-reads"))],
    ["since the start", share(hits, now.totals["cache-reads"])],
    ["served from memory", `${bytes(rate("cache-served"))}/s`],
    ["held", bytes(now["cache-bytes"])],
    ["objects", count(now["cache-objects"])],
  ]);
  bars("memory", [
    ["all", `${bytes(now.memory.used)} of ${bytes(now.memory.budget)}`, now.memory.used, now.memory.budget, 0.95],
    ...now.memory.areas.map((it) =>
      [it.name + (it.waiting ? `, ${it.waiting} waiting` : ""), bytes(it.used), it.used, it.limit, 0.98]),
  ]);
  pairs("batches", [
    ["streams", count(now["batch-streams"])],
    ["items", `${count(rate("batch-items"))}/s`],
    ["of them failed", `${count(rate("batch-failed"))}/s`, rate("batch-failed") > 0],
    ["payload", `${bytes(rate("batch-bytes"))}/s`],
    ["waits for memory", `${count(rate("batch-waits"))}/s`],
  ]);
  bars("loops", now.loops.map((late, i) => [`loop ${i}`, `${seconds(late)} late`, Math.min(late, 0.5), 0.5, 0.2]));
  const config = now.configuration;
  pairs("configuration", [
    ["state", config.state, config.state !== "current"],
    ["since", config.since.replace(/\.\d+Z$/, "Z")],
    ["changes taken on", count(config.applied)],
    ["changes refused", count(config.rejected)],
    ...config.why.map((text) => ["why", text, true]),
    ...(config["certificate-refused"] ? [["certificate", config["certificate-refused"], true]] : []),
    ...(now["certificate-ends"] ? [["certificate ends", now["certificate-ends"]]] : []),
  ]);
  last = now;
}

async function poll() {
  try {
    const answer = await fetch("/status.json", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    show(await answer.json());
    at("stale").hidden = true;
  } catch (failure) {
    at("stale").hidden = false;
  }
  setTimeout(poll, document.hidden ? 10000 : 1000);
}

poll();
