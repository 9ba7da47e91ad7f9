// Follows the table: replaces the page's parts as the server sends them, and the camera's picture while it is seen.

const PICTURE_MS = 1000; // a picture is some 100 kB: one a second is what a club's network bears with a hall of phones
const REOPEN_MS = 3000;

const line = document.getElementById("line");
const camera = document.getElementById("camera");
const image = camera.querySelector("img");
const parts = new Map();

let colours = [];
let newest = Number(camera.dataset.picture);
let asked = newest;
let seen = false;
let resting = false;

function say(live) {
  line.textContent = live ? line.dataset.live : line.dataset.reconnecting;
  line.dataset.state = live ? "live" : "reconnecting";
}

function show(view) {
  for (const [id, html] of Object.entries(view)) {
    if (parts.get(id) === html) continue; // left alone: a reader's place in it stays
    parts.set(id, html);
    document.getElementById(id).innerHTML = html;
  }
  shine();
  document.title = document.querySelector("h1").textContent;
}

function shine() {
  for (const lamp of document.querySelectorAll("[data-light]")) {
    const colour = colours[lamp.dataset.light - 1];
    lamp.setAttribute("visibility", colour ? "visible" : "hidden");
    if (colour) lamp.setAttribute("stroke", colour);
  }
}

function refresh() {
  if (resting || !seen || document.hidden || newest === asked) return;
  asked = newest;
  resting = true;
  image.src = `/camera.jpg?${asked}`;
  setTimeout(() => { resting = false; refresh(); }, PICTURE_MS);
}

function follow() {
  const source = new EventSource("/events");
  source.addEventListener("open", () => say(true));
  source.addEventListener("view", (event) => show(JSON.parse(event.data)));
  source.addEventListener("lights", (event) => { colours = JSON.parse(event.data); shine(); });
  source.addEventListener("picture", (event) => { newest = Number(event.data); refresh(); });
  source.addEventListener("error", () => {
    say(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, REOPEN_MS); // the browser has given up
  });
}

image.addEventListener("load", () => {
  image.hidden = false;
  camera.querySelector("p").hidden = true;
});
document.addEventListener("visibilitychange", refresh);
new IntersectionObserver((entries) => {
  seen = entries.at(-1).isIntersecting;
  refresh();
}).observe(camera);
follow();
