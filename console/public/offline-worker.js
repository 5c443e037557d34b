// Of the installed app: without a connection it shows a page that says so. Nothing else is kept on the
// device, because figures that are out of date would look like today's.
const PAGE = 'offline.html'

addEventListener('install', (event) => {
  event.waitUntil(caches.open('offline').then((cache) => cache.add(PAGE)))
  skipWaiting()
})

addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate')
    event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)))
})
