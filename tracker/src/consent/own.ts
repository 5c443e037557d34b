// Visits that do not count: of the owner's browsers, and of excluded paths.
import { takeToken } from '../landing.ts'
import type { Tracker } from '../shared.ts'
import { isExcludedPath } from './paths.ts'

export function watchExcluded(tracker: Tracker): void {
  const { key, origin, values } = tracker.config
  tracker.skips = ({ url, type }) => {
    const reason = tracker.read('own')
      ? 'own'
      : isExcludedPath(new URL(url).pathname, String(values.exclude || '')) && 'path'
    // A plain count: no id, no address of the page.
    if (reason && type === 'page_view') send(`${origin}/api/tracking/excluded`, { key, reason })
    return !!reason
  }
}

/** A link of the console marks this browser, or removes the mark. Resolves when it is decided. */
export async function takeOwnMark(tracker: Tracker): Promise<void> {
  const { token, url } = takeToken(location.href, 'whence_own')
  if (!token) return
  history.replaceState(history.state, '', url)
  const { key, origin } = tracker.config
  try {
    const body = JSON.stringify({ key, token })
    const answer = await fetch(`${origin}/api/tracking/own-browser`, { method: 'POST', body })
    if (!answer.ok) throw new Error('expired')
    const { is_own: isOwn } = (await answer.json()).data
    if (isOwn) tracker.write('own', '1')
    else tracker.erase('own')
    notify(
      isOwn ? 'Visits of this browser are no longer counted.' : 'Visits of this browser are counted again.',
    )
  } catch {
    notify('This link has expired. Open a new one in the console.')
  }
}

function notify(text: string): void {
  const notice = document.createElement('div')
  notice.textContent = text
  notice.setAttribute('role', 'status')
  notice.style.cssText =
    'position:fixed;bottom:16px;left:16px;z-index:2147483647;padding:12px 16px;background:#111;color:#fff;font:14px sans-serif;border-radius:8px'
  document.body.append(notice)
  setTimeout(() => notice.remove(), 10_000)
}

export function send(url: string, value: unknown): void {
  navigator.sendBeacon(url, new Blob([JSON.stringify(value)], { type: 'text/plain' }))
}
