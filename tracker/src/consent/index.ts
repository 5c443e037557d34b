// The second script: reads what banners state, shows the notice of an opt-out, excludes the owner's visits, decorates
// links to other domains. The first script loads it where one of these is needed, and waits where it decides.
import { watchDomains } from '../domains.ts'
import { guarded } from '../guarded.ts'
import type { SignalState, Tracker } from '../shared.ts'
import { clean } from '../text.ts'
import type { Consent } from '../wire.ts'
import type { Reading } from './banners.ts'
import { type Decision, decide } from './decide.ts'
import { send, takeOwnMark, watchExcluded } from './own.ts'
import { type Banners, watchBanners } from './watch.ts'

const noBanners: Banners = { readings: () => ({}) }

async function main(tracker: Tracker): Promise<void> {
  const { config, gpc } = tracker
  const { values } = config
  const isAuto = values.signals === 'auto'
  watchExcluded(tracker)
  watchDomains(tracker, config.domains)
  await takeOwnMark(tracker)

  let banners = noBanners
  let last = ''
  let wasPending = false
  /** The last call of `start`, which sends what waits and may ask for the visit of another domain. */
  let started = tracker.isWaiting ? '' : `${config.consent} false`
  /** What the banners of this page stated when another tab withdrew the consent. */
  let withdrawn = ''

  const update = () => {
    const readings = banners.readings()
    if (tracker.chosen || JSON.stringify(readings) !== withdrawn) withdrawn = ''
    const [statistics, ads] = tracker.chosen || (withdrawn ? ['denied' as const] : [])
    const decision = decide({
      gpc,
      isLiftable: values.gpc === 'explicit_choice_wins',
      wasLifted: tracker.read('lifted') === '1',
      page: statistics && { statistics, ads: typeof ads === 'boolean' ? ads : undefined },
      banners: readings,
      remembered: { statistics: tracker.read('consent') === 'granted', ads: readAds(tracker.read('ads')) },
      attribute: config.consent,
    })
    const text = JSON.stringify(decision)
    if (text !== last) apply(decision)
    last = text
    publish(decision)
  }

  function apply({ states, signals, isChosen, isGpcHonored, isLifted }: Decision): void {
    tracker.gpc = isGpcHonored
    if (isLifted) tracker.write('lifted', '1')
    if (!isAuto) {
      tracker.signals = isLifted ? signals : undefined
      if (tracker.isWaiting) tracker.start()
      return
    }
    const { statistics, ad_user_data: userData, ad_personalization: personalization } = states
    // Without a choice nothing is used for ads.
    const toSent = (state: Consent | undefined) => (state === 'pending' ? 'denied' : state || '')
    tracker.ads = userData || personalization ? `${toSent(userData)},${toSent(personalization)}` : ''
    const isLate = wasPending && statistics === 'granted'
    tracker.signals = isLate ? signals.concat('held') : signals
    // Kept events are recorded here.
    if (started !== `${statistics} ${isChosen}`) tracker.start(statistics, isChosen)
    started = `${statistics} ${isChosen}`
    tracker.signals = signals
    wasPending = statistics === 'pending'
    const isAdChoice = [userData, personalization].every((state) => state === 'granted' || state === 'denied')
    if (statistics === 'granted' && isChosen && isAdChoice && !isGpcHonored)
      tracker.write('ads', `${userData},${personalization}`)
  }

  const published = new Map<unknown, string>()
  function publish({ states, source, isGpcHonored }: Decision): void {
    const state: SignalState = {
      gpc,
      statistics: states.statistics,
      ad_user_data: states.ad_user_data || 'unspecified',
      ad_personalization: states.ad_personalization || 'unspecified',
      source: isGpcHonored ? 'gpc' : source,
    }
    const text = JSON.stringify(state)
    for (const listener of tracker.listeners) {
      if (published.get(listener) === text) continue
      published.set(listener, text)
      guarded(listener)(state)
    }
    showNotice()
  }

  /** The page's own notice to the visitor, also one that the page inserts later. */
  function showNotice(): void {
    if (tracker.gpc)
      for (const notice of document.querySelectorAll<HTMLElement>('[data-whence-gpc]')) notice.hidden = false
  }

  if (isAuto) banners = watchBanners(guarded(update))
  guarded(update)()
  tracker.changed = guarded(update)
  addEventListener('storage', ({ key, newValue }) => {
    // Another tab granted the consent, or withdrew it, which erased everything.
    if (key === 'whence.visitor' && newValue === null) {
      tracker.chosen = undefined
      withdrawn = JSON.stringify(banners.readings())
    }
    if (key === 'whence.visitor' ? newValue === null : key === 'whence.ads' || newValue === 'granted')
      tracker.changed!()
  })
  if (gpc) new MutationObserver(guarded(showNotice)).observe(document, { childList: true, subtree: true })
  reportInstallCheck(tracker)
}

const readAds = (text: string | undefined): Reading => {
  const [user, personalization = user] = (text || '').split(',') as (Consent | undefined)[]
  return {
    ...(user && { ad_user_data: user }),
    ...(personalization && { ad_personalization: personalization }),
  }
}

/** Reports back the token with which an install check opens a page, once the visitor has an id. */
function reportInstallCheck(tracker: Tracker): void {
  const token = new URL(location.href).searchParams.get('whence_verify')
  const { key, origin } = tracker.config
  const url = location.href
  let isSent = !token
  const report = (isCounted: unknown) => {
    if (isSent || !isCounted) return
    isSent = true
    send(`${origin}/api/tracking/verification/beacon`, {
      key,
      token: clean(token, 256),
      url: clean(url, 2048),
    })
  }
  tracker.whenVisitor(report)
  // The visits of this browser have no visitor.
  report(tracker.read('own'))
}

const tracker = window.whence?.tracker
if (tracker) void main(tracker)
