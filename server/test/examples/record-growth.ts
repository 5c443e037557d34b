/** A shop of its own at the imitated platform: recommendations, an assistant's write, and a study by regions. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { jobs } from '../../src/app.ts'
import { addDays } from '../../src/platform/contract/dates.ts'
import { drainJobs, runSchedule } from '../jobs.ts'
import { makeKey } from '../make.ts'
import { makeShop, moveClock, type Shop } from '../make-shop.ts'
import { plantSeries } from '../planted/experiments.ts'
import { plantLoser } from '../planted/loser.ts'
import { plantRegionDays } from '../planted/region-days.ts'
import type { Ask, World } from './record.ts'

const PAST_DAYS = 150

export async function askGrowth({ app, ask, askWith, owner, keyScopes }: World): Promise<void> {
  const { workspace_id } = await ask('createWorkspace', { body: { name: 'Growing', timezone: 'UTC' } })
  const shop = await makeShop(app, { owner, workspaceId: String(workspace_id) })
  const ofShop = askWith(await makeKey(app, shop.profileId, keyScopes))
  await app.service.db.deleteFrom('jobs').execute()
  // The imitated account counts in dollars, and budgets are changed in the profile's own currency only.
  await app.pool.query(`update profiles set currency = 'USD' where id = $1`, [shop.profileId])
  await shop.connected('social_ads')
  await drainJobs(app.service, jobs)
  const campaigns = await plantLoser(app, shop)
  await askRecommendations({ app, ask }, shop)
  await askAssistant({ app, ask }, shop, campaigns.at(-1)!.external_id)
  await askStudy({ app, ask: ofShop }, shop)
}

type Place = { app: World['app']; ask: Ask }

async function askRecommendations({ app, ask }: Place, { workspaceId }: Shop): Promise<void> {
  const daily = async () => {
    await runSchedule(app.service, jobs, 'recommendations.queue')
    await drainJobs(app.service, jobs)
  }
  await daily()
  await moveClock(app, 4 * 86_400)
  await daily()
  const open = await ask('listRecommendations', { params: { workspaceId } })
  const [first, second] = open as unknown as { id: string }[]
  await ask('applyRecommendation', { params: { workspaceId, id: first?.id } })
  await ask('undoRecommendation', { params: { workspaceId, id: first?.id } })
  await ask('dismissRecommendation', { params: { workspaceId, id: second?.id } })
}

async function askAssistant({ app, ask }: Place, shop: Shop, campaignId: string): Promise<void> {
  const params = { workspaceId: shop.workspaceId }
  await ask('putMcpSettings', { params })
  const { token } = await ask('createUserToken', {
    body: { name: 'Assistant', scopes: ['mcp:read', 'mcp:write'] },
  })
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${app.baseUrl}/mcp`), { requestInit: { headers } }),
  )
  try {
    const pause = async (more: Record<string, unknown>) => {
      const result = await client.callTool({
        name: 'pause_campaign',
        arguments: { profile_id: shop.profileId, id: campaignId, ...more },
      })
      return JSON.parse((result.content as { text: string }[])[0]!.text) as { confirmation?: string }
    }
    const { confirmation } = await pause({})
    await pause({ mode: 'confirm', confirmation, idempotency_key: 'pause-1' })
  } finally {
    await client.close()
  }
  await ask('listMcpWritebacks', { params })
}

async function askStudy({ app, ask }: Place, { profileId }: Shop): Promise<void> {
  const today = app.service.clock.now().toISOString().slice(0, 10)
  for (const { region, days } of plantSeries({ regions: 9, days: PAST_DAYS, sales: 10 }, 4))
    await plantRegionDays(app.pool, profileId, region, addDays(today, -PAST_DAYS), days)
  const { treated, control, recommended_days } = await ask('designGeoExperiment')
  const names = (list: unknown) => (list as { region: string }[]).map(({ region }) => region)
  await ask('createGeoExperiment', {
    body: {
      name: 'Spring',
      metric: 'payments',
      days: recommended_days ?? 14,
      starts_on: today,
      treated: names(treated),
      control: names(control),
    },
  })
}
