/** Records responses about plans that a payment provider or a store platform bills. */
import { createHmac } from 'node:crypto'
import { startBillingProvider } from '../billing-provider.ts'
import { makeKey } from '../make.ts'
import { makeShop } from '../make-shop.ts'
import { makeVisitor } from '../visitor.ts'
import type { World } from './record.ts'

export async function recordBilling(world: World): Promise<void> {
  await askCheckout(world)
  await askStore(world)
}

/** With billing configured: a workspace is paid, changes its plan and opens the portal. */
async function askCheckout({ app, ask }: World): Promise<void> {
  const provider = await startBillingProvider()
  const at = await app.startTwin({ env: { BILLING: provider.config } })
  try {
    const workspace = await ask('createWorkspace', {
      at,
      body: { name: 'Paid', timezone: 'UTC', plan: 'growth' },
    })
    const { pathname, search } = new URL(provider.pay().returnUrl)
    await makeVisitor().open(`${at.baseUrl}${pathname}${search}`)
    const params = { workspaceId: workspace.workspace_id }
    await ask('createCheckoutSession', { at, params, body: { plan: 'agency' } })
    await ask('createBillingPortalSession', { at, params })
  } finally {
    await at.close()
    provider.close()
  }
}

/** A workspace that came from the app market of a store platform. */
async function askStore({ app, ask, askWith, owner, keyScopes }: World): Promise<void> {
  const { app: platform } = app.service.providers.get('storefront')!
  Object.assign(platform.extra, { planGrowth: '49.00', planAgency: '199.00' })
  const timestamp = Math.floor(app.service.clock.now().getTime() / 1000)
  const line = `host=YWRtaW4&shop=harbor-and-pine.myshopify.com&timestamp=${timestamp}`
  const hmac = createHmac('sha256', platform.clientSecret).update(line).digest('hex')
  const workspace = await ask('createWorkspace', {
    body: { name: 'From the store', plan: 'growth', store_install: `${line}&hmac=${hmac}` },
  })
  const workspaceId = String(workspace.workspace_id)
  const shop = await makeShop(app, { owner, workspaceId })
  await shop.connected('storefront')
  await ask('selectStorePlan', { params: { workspaceId }, body: { plan: 'agency' } })
  await askWith(await makeKey(app, shop.profileId, keyScopes))('activateWebPixel')
}
