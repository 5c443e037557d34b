/** Records a separate shop at the imitated platform: recommendations, an assistant's write, and a geo study. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { jobs } from '../../src/app.ts'
import { insertProposal } from '../../src/features/advice/recommendations/queries.ts'
import { propose } from '../../src/features/advice/recommendations/rules.ts'
import { addDays } from '../../src/platform/contract/dates.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { drainJobs } from '../jobs.ts'
import { makeKey } from '../make.ts'
import { makeShop, type Shop } from '../make-shop.ts'
import { PLANTED_NOW, plantCampaigns } from '../planted/campaigns.ts'
import { plantSeries } from '../planted/experiments.ts'
import { plantRegionDays } from '../planted/region-days.ts'
import type { Ask, World } from './record.ts'

const PAST_DAYS = 150

export async function recordGrowth({ app, ask, askWith, owner, keyScopes }: World): Promise<void> {
  const { workspace_id } = await ask('createWorkspace', { body: { name: 'Growing', timezone: 'UTC' } })
  const shop = await makeShop(app, { owner, workspaceId: String(workspace_id) })
  const ofShop = askWith(await makeKey(app, shop.profileId, keyScopes))
  await app.service.db.deleteFrom('jobs').execute()
  // The imitated account uses dollars, and budgets can be changed in the profile's own currency only.
  await app.pool.query(`update profiles set currency = 'USD' where id = $1`, [shop.profileId])
  await shop.connected('social_ads')
  await drainJobs(app.service, jobs)
  const { rows: campaigns } = await app.pool.query<Campaign>(
    `select id, external_id as "platformId", name from ad_entities
     where profile_id = $1 and level = 'campaign' and status = 'ACTIVE' order by external_id`,
    [shop.profileId],
  )
  await askRecommendations({ app, ask }, shop, campaigns)
  await askAssistant({ app, ask }, shop, campaigns.at(-1)!.platformId)
  await askStudy({ app, ask: ofShop }, shop)
}

type Campaign = { id: string; platformId: string; name: string }
type Place = { app: World['app']; ask: Ask }

/** Saves recommendations as the daily run would for a planted bad campaign. */
async function askRecommendations(
  { app, ask }: Place,
  { workspaceId, profileId }: Shop,
  campaigns: readonly Campaign[],
): Promise<void> {
  const planted = plantCampaigns({ seed: 3, costMinor: 1500, factor: (index) => (index === 0 ? 0.2 : 1) })
  const [plantedProposal] = propose(planted, PLANTED_NOW)
  const now = app.service.clock.now()
  const expiresAt = new Date(now.getTime() + 7 * 86_400_000)
  for (const { id, platformId, name } of campaigns.slice(0, 2)) {
    const subject = { ...plantedProposal!.subject, id, platformId, name }
    const steps = [{ write: 'pause', platformId, name } as const]
    const proposal = { ...plantedProposal!, subject, steps, scoredOver: [] }
    await inTransaction(app.service.db, (tx) =>
      insertProposal(tx, { profileId, id: uuidv7(now), proposal, now, expiresAt }),
    )
  }
  const open = await ask('listRecommendations', { params: { workspaceId } })
  const byName = (open as unknown as { id: string; subject: { name: string } }[]).sort((a, b) =>
    a.subject.name.localeCompare(b.subject.name),
  )
  const [first, second] = byName
  await ask('applyRecommendation', { params: { workspaceId, id: first!.id } })
  await ask('undoRecommendation', { params: { workspaceId, id: first!.id } })
  await ask('dismissRecommendation', { params: { workspaceId, id: second!.id } })
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
    const pause = async (extraArguments: Record<string, unknown>) => {
      const result = await client.callTool({
        name: 'pause_campaign',
        arguments: { profile_id: shop.profileId, id: campaignId, ...extraArguments },
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
