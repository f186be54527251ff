// Keeps the making guides that somebody follows, for when there is no network. What is kept is renewed when it is fetched.
"use strict";
const NAME = "ppgen-making";

addEventListener("install", () => skipWaiting());
addEventListener("activate", event => event.waitUntil(clients.claim()));
addEventListener("message", event => {
  const keepAll = kept => Promise.allSettled(event.data.map(address => kept.add(address)));
  event.waitUntil(caches.open(NAME).then(keepAll));
});
addEventListener("fetch", event => { if (event.request.method === "GET") { event.respondWith(answer(event.request)); } });

async function answer(request) {
  const kept = await caches.open(NAME), old = await kept.match(request, { ignoreSearch: true });
  try {
    const found = await fetch(request);
    if (old && found.ok) { await kept.put(request, found.clone()); }
    return found;
  } catch (error) {
    if (!old) { throw error; }
    return old;
  }
}
