/** Code that a person pastes or imports to install the tracker. Pure functions. */
import type { TrackingSettings } from './queries.ts'

export type Install = { key: string; origin: string; canonical: string; settings: TrackingSettings }

const stub = 'window.whence=window.whence||function(){(whence.q=whence.q||[]).push(arguments)}'

export function trackerSnippet(install: Install, socialPixelId: string | undefined): string {
  const attributes = Object.entries(attributesOf(install))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')
  const tracker = `<script>${stub}</script>\n<script async src="${install.origin}/tracker.js"${attributes}></script>`
  return socialPixelId === undefined ? tracker : `${tracker}\n${socialPixel(socialPixelId)}`
}

function attributesOf({ key, origin, canonical, settings }: Install): Record<string, string> {
  return {
    'data-key': key,
    // The script derives the host from its own URL; a path prefix must be passed.
    ...(new URL(origin).pathname === '/' ? {} : { 'data-origin': origin }),
    ...(origin === canonical ? {} : { 'data-canonical': canonical }),
    ...(settings.consentMode === 'granted' ? {} : { 'data-consent': settings.consentMode }),
    ...(settings.consentSignals === 'off' ? {} : { 'data-signals': 'auto' }),
    ...(settings.gpc === 'honor' ? {} : { 'data-gpc': settings.gpc }),
    ...(settings.excludePaths.length === 0 ? {} : { 'data-exclude': settings.excludePaths.join(',') }),
    ...(settings.sessionMinutes === 30 ? {} : { 'data-session-minutes': String(settings.sessionMinutes) }),
    ...(settings.forms === 'auto' ? {} : { 'data-forms': settings.forms }),
    ...(settings.spa === 'on' ? {} : { 'data-spa': settings.spa }),
    ...(hasSeveral(settings) ? { 'data-domains': settings.allowedDomains.join(',') } : {}),
  }
}

/** With several domains, a visit continues across them. */
const hasSeveral = ({ allowedDomains }: TrackingSettings) => allowedDomains.length > 1

/** Tag managers strip data attributes from inserted tags, so the settings are passed to the init call. */
function tagManagerSnippet(install: Install): string {
  const { key, origin, canonical, settings } = install
  const options = {
    key,
    origin,
    ...(origin === canonical ? {} : { canonical }),
    ...(settings.consentMode === 'granted' ? {} : { consent: settings.consentMode }),
    ...(settings.consentSignals === 'off' ? {} : { signals: 'auto' }),
    ...(settings.gpc === 'honor' ? {} : { gpc: settings.gpc }),
    ...(settings.excludePaths.length === 0 ? {} : { exclude: settings.excludePaths.join(',') }),
    ...(settings.sessionMinutes === 30 ? {} : { sessionMinutes: settings.sessionMinutes }),
    ...(settings.forms === 'auto' ? {} : { forms: settings.forms }),
    ...(settings.spa === 'on' ? {} : { spa: settings.spa }),
    ...(hasSeveral(settings) ? { domains: settings.allowedDomains.join(',') } : {}),
  }
  // Escaped, so that no value can close the script element.
  const json = JSON.stringify(options).replaceAll('<', '\\u003c')
  const load = `(function(d,s){s=d.createElement('script');s.async=true;s.src=${JSON.stringify(`${origin}/tracker.js`)};d.head.appendChild(s)})(document)`
  return `<script>${stub};whence('init',${json});${load}</script>`
}

function socialPixel(id: string): string {
  return `<script>!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?n.callMethod.apply(n,arguments):n.queue.push(arguments)};if(!f._fbq)f._fbq=n;n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,document,'script','https://connect.facebook.net/en_US/fbevents.js');fbq('init','${id}');fbq('track','PageView');</script>`
}

/** An export file of the tag manager: one custom-HTML tag that fires on all pages. */
export function tagManagerContainer(install: Install): Record<string, unknown> {
  const parameter = (key: string, value: string, type = 'TEMPLATE') => ({ type, key, value })
  return {
    exportFormatVersion: 2,
    containerVersion: {
      container: { name: 'Whence', usageContext: ['WEB'] },
      tag: [
        {
          name: 'Whence tracker',
          type: 'html',
          parameter: [
            parameter('html', tagManagerSnippet(install)),
            parameter('supportDocumentWrite', 'false', 'BOOLEAN'),
          ],
          // The tag manager's built-in trigger "All Pages".
          firingTriggerId: ['2147479553'],
          tagFiringOption: 'ONCE_PER_LOAD',
        },
      ],
    },
  }
}

/**
 * A custom pixel runs in the store's sandbox and cannot load the tracker, so it posts the purchase itself.
 * It reads the tracker's cookie, so that the buyer is the same visitor as in the theme's tracker.
 */
export function storefrontPixel(install: Install) {
  const collectorUrl = `${install.origin}/api/tracking/collect`
  const code = `const key = ${JSON.stringify(install.key)};
const collect = ${JSON.stringify(collectorUrl)};
const uuid = () => crypto.randomUUID();
const visitor = async () => {
  const stored = ((await browser.cookie.get('whence')) || '').split('.');
  if (stored.length === 3) return stored;
  const created = [uuid(), uuid(), Date.now().toString(36)];
  await browser.cookie.set('whence=' + created.join('.') + '; max-age=34560000; path=/; SameSite=Lax');
  return created;
};
const send = async (type, name, event, properties, traits) => {
  const now = new Date().toISOString();
  const page = event.context.document;
  const [id, session] = await visitor();
  const body = { event_id: uuid(), type, event_name: name, occurred_at: event.timestamp, sent_at: now, anonymous_id: id, session_id: session,
    session_start: false, url: page.location.href.slice(0, 2048), referrer: page.referrer.slice(0, 2048), title: page.title.slice(0, 512),
    utm: {}, click_ids: {}, ad: {}, properties, user_traits: traits, consent: 'granted', screen: { w: 0, h: 0 }, language: '', tz: '' };
  await fetch(collect, { method: 'POST', keepalive: true, headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ key, events: [body] }) });
};
analytics.subscribe('page_viewed', (event) => send('page_view', 'page_view', event, {}, {}));
analytics.subscribe('checkout_completed', (event) => {
  const checkout = event.data.checkout;
  const traits = {};
  if (checkout.email) traits.email = checkout.email;
  if (checkout.phone) traits.phone = checkout.phone;
  return send('purchase', 'order_placed', event, { value: String(checkout.totalPrice.amount), currency: checkout.currencyCode, order_id: String(checkout.order?.id ?? checkout.token).split('/').at(-1) }, traits);
});
`
  return { name: 'Whence', code, settings: { tracking_key: install.key, collector_url: collectorUrl } }
}
