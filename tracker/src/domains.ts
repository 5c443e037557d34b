// Keeps one visit across the business's own domains: a link there carries a short-lived token of the visit.
import { withField } from './checkout.ts'
import { linkOf } from './clicks.ts'
import { guarded } from './guarded.ts'
import { hostOf, isSameSite, VISIT_FIELD } from './landing.ts'
import { siteHost } from './store.ts'
import type { Tracker } from './tracker.ts'

/** Half of the time that a token is valid for. */
const ASK_AGAIN_MS = 60_000

export function watchDomains(tracker: Tracker, domains: string): void {
  let token = ''
  let askAt = 0
  const pointed = guarded((event: Event) => {
    const anchor = linkOf(event)
    const host = anchor && hostOf(anchor.href)
    if (!host || isSameSite(host, siteHost()) || !domains.split(',').some((one) => isSameSite(host, one)))
      return
    if (event.type === 'click') {
      anchor.href = withField(anchor.href, VISIT_FIELD, tracker.visitorId() && token, () => true)
    } else if (tracker.visitorId() && Date.now() > askAt) {
      askAt = Date.now() + ASK_AGAIN_MS
      void tracker.askVisit().then((answer) => {
        token = answer
      })
    }
  })
  if (domains)
    for (const name of ['click', 'pointerover', 'focusin']) document.addEventListener(name, pointed, true)
}
