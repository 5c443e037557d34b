import { basePath } from './base-path.ts'

/** Registers the offline page, for the installed app only: browsers have their own page for a lost connection. */
export function prepareOfflinePage(): void {
  if (!matchMedia('(display-mode: standalone)').matches || !('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register(`${basePath}/offline-worker.js`, { scope: `${basePath}/` })
    .catch(() => undefined)
}
