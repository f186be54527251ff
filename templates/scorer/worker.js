// Keeps the scorer page on web space for use without a network.
const NAME = "scorer-{{name}}", FILES = {{files}};

addEventListener("install", event => {
  event.waitUntil(caches.open(NAME).then(kept => kept.addAll(FILES)).then(() => skipWaiting()));
});
addEventListener("activate", event => {
  const old = names => names.filter(name => name.startsWith("scorer-") && name !== NAME);
  event.waitUntil(caches.keys().then(names => Promise.all(old(names).map(name => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("fetch", event => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then(kept => kept || fetch(event.request)));
});
