import { basePath } from './base-path.ts'

/** Only the installed app needs it: a browser has its own page for a lost connection. */
export function prepareOfflinePage(): void {
  if (!matchMedia('(display-mode: standalone)').matches || !('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register(`${basePath}/offline-worker.js`, { scope: `${basePath}/` })
    .catch(() => undefined)
}
