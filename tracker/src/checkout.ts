// Carries the visitor's id into checkouts on other hosts, so that the payment comes back with it.
import { linkOf } from './clicks.ts'
import { guarded } from './guarded.ts'
import { hostOf, isSameSite } from './landing.ts'
import type { Tracker } from './tracker.ts'

const MARK = 'data-whence-checkout'
const LINK_FIELD = 'client_reference_id'
const FORM_FIELD = 'whence_id'
const CART_FIELD = '_whence_id'
/**
 * Hosted payment pages take the field in their address (dev.to/stripe/payment-link-data-passing-1njp, looked up
 * 2026-11-16); page elements take it as an attribute, which was not tried with an account.
 */
const LINK_HOST = 'buy.stripe.com'
const ELEMENTS = 'stripe-pricing-table,stripe-buy-button'
const ELEMENT_ATTRIBUTE = 'client-reference-id'

type StoreWindow = Window & { Shopify?: { routes?: { root?: string } } }

export function watchCheckout(tracker: Tracker, mode: string): void {
  if (mode === 'off') return
  const isAuto = mode !== 'marked'
  const given = new Set<string>()
  /** What the page wrote itself stays; what we wrote for an earlier visitor does not. */
  const isOurs = (value: string | null) => !value || given.has(value)
  const visitor = () => {
    const id = tracker.visitorId()
    given.add(id)
    return id
  }

  const pointed = guarded((event: Event) => {
    const anchor = linkOf(event)
    if (!anchor) return
    const mark = anchor.getAttribute(MARK)
    if (mark === null && !(isAuto && isSameSite(hostOf(anchor.href), LINK_HOST))) return
    const href = withField(anchor.href, mark || LINK_FIELD, visitor(), isOurs)
    if (href !== anchor.href) anchor.href = href
  })
  // A link that is opened from its menu gets no click.
  for (const name of ['click', 'auxclick', 'contextmenu']) document.addEventListener(name, pointed, true)

  // Of every way to send a form, by the page's own scripts too.
  document.addEventListener(
    'formdata',
    guarded((event: Event) => {
      const mark = (event.target as Element).getAttribute(MARK)
      const { formData } = event as FormDataEvent
      const id = visitor()
      if (mark !== null && id && !formData.get(mark || FORM_FIELD)) formData.set(mark || FORM_FIELD, id)
    }),
    true,
  )

  const fillElements = guarded(() => {
    document.querySelectorAll(ELEMENTS).forEach((element) => {
      const id = visitor()
      const known = element.getAttribute(ELEMENT_ATTRIBUTE)
      if (known === id || !isOurs(known)) return
      if (id) element.setAttribute(ELEMENT_ATTRIBUTE, id)
      else if (known) element.removeAttribute(ELEMENT_ATTRIBUTE)
    })
  })
  if (isAuto) new MutationObserver(fillElements).observe(document, { childList: true, subtree: true })

  let cart = Promise.resolve()
  tracker.whenVisitor(() => {
    if (!isAuto) return
    fillElements()
    const fill = () => {
      // One after another, so that a refusal does not overtake what it takes back.
      cart = cart.then(() => fillCart(visitor()))
    }
    if (document.readyState === 'complete' || inStore()) fill()
    else addEventListener('load', fill)
  })
}

/** The rest of the address stays as the page wrote it, letter by letter. */
export function withField(href: string, name: string, id: string, isOurs: (value: string | null) => boolean) {
  const url = new URL(href)
  const known = url.searchParams.get(name)
  if (known === id || !isOurs(known)) return href
  if (known !== null) url.searchParams.delete(name)
  if (id) url.search += `${url.search ? '&' : '?'}${name}=${id}`
  return url.href
}

const inStore = () => (window as StoreWindow).Shopify?.routes?.root

/**
 * A cart is stored by the store, not in the page: request it first, because a purchase removes it without notice.
 * https://shopify.dev/docs/api/ajax/reference/cart, looked up 2026-11-16.
 */
async function fillCart(id: string): Promise<void> {
  const root = inStore()
  if (!root) return
  try {
    const cart = await (await fetch(`${root}cart.js`)).json()
    if ((cart.attributes[CART_FIELD] || '') === id) return
    await fetch(`${root}cart/update.js`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ attributes: { [CART_FIELD]: id } }),
    })
  } catch {
    // The next page tries again.
  }
}
