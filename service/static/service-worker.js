/** The shell of the page without a network: what the service sends counts, what was kept is the way out. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const KEPT = "set-referee-shell";
const PAGES = /^\/(?:photo|live|table|table\/[^/]+)?$/;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.add("/")).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (PAGES.test(pathname)) event.respondWith(fresh(event.request, "/"));
  else if (pathname.startsWith("/static/")) event.respondWith(fresh(event.request, event.request));
});

/**
 * Return what the service answers; without an answer what was kept under the same name.
 * @param {Request} request
 * @param {Request | string} name
 * @returns {Promise<Response>}
 */
async function fresh(request, name) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok && response.status === 200) await cache.put(name, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(name);
    if (kept) return kept;
    throw error;
  }
}
