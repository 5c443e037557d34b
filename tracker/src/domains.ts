// Keeps one visit across the business's own domains: a link there carries a short-lived token of the visit.
import { withField } from './checkout.ts'
import { linkOf } from './clicks.ts'
import { guarded } from './guarded.ts'
import { isOnDomain, isSameSite, VISIT_FIELD } from './landing.ts'
import { siteHost } from './store.ts'
import type { Tracker } from './tracker.ts'

/** Half of the time that a token is valid for. */
const ASK_AGAIN_MS = 60_000

export function watchDomains(tracker: Tracker, domains: string): void {
  let token = ''
  let askAt = 0
  const pointed = guarded((event: Event) => {
    const anchor = linkOf(event)
    if (!anchor || !isOnDomain(anchor.href, domains) || isSameSite(anchor.hostname, siteHost())) return
    if (event.type === 'click') {
      anchor.href = withField(anchor.href, VISIT_FIELD, tracker.visitorId() && token, () => true)
    } else if (tracker.visitorId() && Date.now() > askAt) {
      askAt = Date.now() + ASK_AGAIN_MS
      void tracker.askVisit().then((answer) => {
        token = answer
      })
    }
  })
  tracker.whenVisitor(() => {
    token = ''
    askAt = 0
  })
  if (domains)
    for (const name of ['click', 'focusin', 'pointerover']) document.addEventListener(name, pointed, true)
}
