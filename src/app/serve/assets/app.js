// What the pages do beside showing: a filter, the slider, live updates. Without this script every page works by its forms.
"use strict";

const root = document.documentElement;
const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

// ---- the filter of the board ----

const texts = new WeakMap();
const textOf = (row) => {
  if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
  return texts.get(row);
};

function filter() {
  const field = one("[data-filter]");
  if (!field) return;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = all("[data-row]");
  let shown = 0;
  for (const row of rows) {
    const fits = words.every((word) => textOf(row).includes(word));
    if (row.hidden === fits) row.hidden = !fits;
    shown += fits;
  }
  for (const part of all("[data-section], [data-file]")) {
    part.hidden = words.length > 0 && !one("[data-row]:not([hidden])", part);
  }
  const number = (count) => count.toLocaleString("en");
  const facts = rows.length === 1 ? "1 fact" : `${number(rows.length)} facts`;
  one("[data-matches]").value = words.length ? `${number(shown)} of ${facts}` : facts;
  one("#nothing").hidden = !(words.length && !shown);
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-filter]")) filter();
});
document.addEventListener("submit", (event) => {
  const field = one("[data-filter]", event.target);
  if (!field) return;
  event.preventDefault();
  const query = field.value ? `?q=${encodeURIComponent(field.value)}` : "/";
  history.replaceState(null, "", query);
});

// ---- keys ----

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]), textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const field = one("[data-filter]");
    event.preventDefault();
    if (field) {
      field.focus();
      field.select();
    } else {
      location.href = "/#filter";
    }
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest("[data-play]");
    if (form) form.requestSubmit();
  }
});

// ---- a new page in the place of the old one, node by node: what stays keeps its focus and its place ----

function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.isEqualNode(fresh)) return;
  texts.delete(old);
  // What a person opened or typed stays.
  const kept = old.nodeName === "DETAILS" ? ["open"] : [];
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !kept.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value && !kept.includes(name)) old.setAttribute(name, value);
  }
  if (old.matches("input, textarea, select")) return;
  const named = new Map(all(":scope > [id]", old).map((node) => [node.id, node]));
  let at = old.firstChild;
  for (const want of [...fresh.childNodes]) {
    let have = want.id ? named.get(want.id) : undefined;
    if (!have && at && !at.id && !want.id && at.nodeName === want.nodeName) have = at;
    if (!have) {
      old.insertBefore(want, at);
      continue;
    }
    if (have === at) at = at.nextSibling;
    else old.insertBefore(have, at);
    morph(have, want);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

async function pageAt(address, signal) {
  const answer = await fetch(address, { signal, headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// ---- the slider ----

let sliding;

async function slide(field) {
  const form = field.form;
  const day = new Date(`${form.dataset.first}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + Number(field.value));
  const iso = day.toISOString().slice(0, 10);
  const label = one("#day");
  label.textContent = iso;
  label.dateTime = iso;
  field.setAttribute("aria-valuetext", iso);
  sliding?.abort();
  sliding = new AbortController();
  const file = one("[name=file]", form);
  const address = `/days?${file ? `file=${file.value}&` : ""}day=${iso}`;
  try {
    await new Promise((go) => setTimeout(go, 40));
    if (sliding.signal.aborted) return;
    const fresh = await pageAt(address, sliding.signal);
    for (const part of ["#answer", "#steps", ".day-head h1"]) morph(one(part), one(part, fresh));
    one(".pick [name=day]").value = iso;
    history.replaceState(null, "", address);
  } catch (error) {
    if (error.name !== "AbortError") state("the server does not answer");
  }
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-slider] [type=range]")) slide(event.target);
});

// ---- live ----

function state(words) {
  const place = one("#state");
  if (place) place.textContent = words ?? place.dataset.quiet;
}

let busy = false;

async function refresh(number) {
  if (busy || number === root.dataset.change) return;
  busy = true;
  try {
    const fresh = await pageAt(location.href);
    morph(one("main"), one("main", fresh));
    document.title = fresh.title;
    root.dataset.change = fresh.documentElement.dataset.change;
    filter();
    root.dispatchEvent(new CustomEvent("refreshed"));
  } catch {
    state("the page could not be made anew");
  } finally {
    busy = false;
  }
}

let source;

function listen() {
  source?.close();
  source = new EventSource("/events");
  source.addEventListener("open", () => state());
  source.addEventListener("change", (event) => {
    if (root.dataset.live === "on") refresh(event.data);
  });
  source.addEventListener("error", () => {
    state(source.readyState === EventSource.CLOSED ? "the server has ended" : "connecting again");
  });
}

// Connections to one server are few: a page that nobody sees gives its own back.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) source?.close();
  else listen();
});

if (root.dataset.live) {
  filter();
  if (location.hash === "#filter") one("[data-filter]")?.focus();
  listen();
}
