// Service worker of the installed app: shows an offline page without a connection. Nothing else is stored on the
// device, because outdated figures would look current.
const PAGE = 'offline.html'

addEventListener('install', (event) => {
  event.waitUntil(caches.open('offline').then((cache) => cache.add(PAGE)))
  skipWaiting()
})

addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate')
    event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)))
})
