/* Replaces the service worker of an earlier site on this domain, which would still show that site. This site has none. */
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(removeWorker()));

async function removeWorker() {
  await registration.unregister();
  for (const client of await clients.matchAll({ type: "window" })) await client.navigate(client.url);
}
