/**
 * What a partner and a merchant see of the app besides its API: its credentials, the app opened from the store's admin by
 * a signed link, and the page on which a merchant approves a recurring charge
 * (shopify.dev, "Authorization code grant", step 1, and "Subscription billing", read 2026-11-17).
 */
import { escapeHtml, htmlPage } from '../consent.ts'
import type { SandboxRoute } from '../routes.ts'
import type { SandboxOptions, SandboxReply } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'

type Json = Record<string, unknown>
type Subscription = Json & { id: string; status: string }

const PERIOD_MS = 30 * 86_400_000
const idOf = (number: string) => `gid://shopify/AppSubscription/${number}`

export function createMarket(
  options: SandboxOptions,
  { sign, defaultShop }: { sign: (query: URLSearchParams, shop: string) => void; defaultShop: string },
) {
  const subscriptions = new Map<string, Subscription>()
  const returnUrls = new Map<string, string>()

  /** Pending until the merchant approves it on the confirmation page. */
  function create(shop: string, args: Json, { baseUrl, serial }: { baseUrl: string; serial: number }) {
    const number = seededDigits(10, options.seed, shop, 'subscription', serial)
    const created: Subscription = {
      __typename: 'AppSubscription',
      id: idOf(number),
      name: String(args.name),
      status: 'PENDING',
      createdAt: options.now().toISOString(),
      currentPeriodEnd: null,
      test: false,
    }
    subscriptions.set(created.id, created)
    returnUrls.set(number, String(args.returnUrl))
    const confirmationUrl = `${baseUrl}/${shop}/admin/charges/1/${number}/RecurringApplicationCharge/confirm`
    return { created, confirmationUrl }
  }

  function settle(id: string | null, status: string): string {
    const before = subscriptions.get(id ?? [...subscriptions.keys()].at(-1) ?? '')
    if (before === undefined) throw new Error('No such subscription')
    const end = new Date(options.now().getTime() + PERIOD_MS).toISOString()
    subscriptions.set(before.id, { ...before, status, currentPeriodEnd: status === 'ACTIVE' ? end : null })
    return before.id
  }

  const link = (href: string, label: string) =>
    `<li><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></li>`
  const redirect = (location: string): SandboxReply => ({ status: 302, headers: { location }, body: '' })

  const routes: SandboxRoute[] = [
    {
      on: 'GET /{shop}/admin/app',
      answer: (_, { shop }) => {
        if (options.extra.appUrl === undefined) return { status: 404, body: 'The app has no URL' }
        const query = new URLSearchParams()
        sign(query, shop!)
        return redirect(`${options.extra.appUrl}?${query}`)
      },
    },
    {
      on: 'GET /{shop}/admin/charges/1/{number}/RecurringApplicationCharge/confirm',
      answer: (request, { number }) => {
        const charge = subscriptions.get(idOf(number!))
        if (charge === undefined) return { status: 404, body: 'Not found' }
        const base = `${request.baseUrl}${request.path}`
        return htmlPage(
          200,
          `Approve ${charge.name}?`,
          `<p>The store is charged every 30 days. This is a sandbox: nothing is paid.</p>
<nav aria-label="Answers"><ul>${link(`${base}/approve`, 'Approve')}${link(`${base}/decline`, 'Decline')}</ul></nav>`,
        )
      },
    },
    {
      on: 'GET /{shop}/admin/charges/1/{number}/RecurringApplicationCharge/confirm/{choice}',
      answer: (_, { number, choice }) => {
        const charge = subscriptions.get(idOf(number!))
        if (charge === undefined || (choice !== 'approve' && choice !== 'decline'))
          return { status: 404, body: 'Not found' }
        if (charge.status === 'PENDING') settle(charge.id, choice === 'approve' ? 'ACTIVE' : 'DECLINED')
        const back = new URL(returnUrls.get(number!)!)
        back.searchParams.set('charge_id', number!)
        return redirect(back.toString())
      },
    },
  ]

  return {
    create,
    settle,
    find: (id: string) => subscriptions.get(id) ?? null,
    /** What the partner dashboard shows, for who controls the sandbox. */
    dashboard: () => ({
      client_id: options.clientId,
      client_secret: options.clientSecret,
      app_url: options.extra.appUrl ?? null,
      open_app: `/sandbox/storefront/${defaultShop}/admin/app`,
    }),
    routes,
  }
}
