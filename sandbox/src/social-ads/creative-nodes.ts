/** Graph nodes of images, videos, audiences and frequency of the sandbox's ads. */

import { type WorldAccount, type WorldCampaign, worldDelivery } from '../ads.ts'
import { worldAudiences, worldCreative } from '../creatives.ts'
import { listDays, localTime } from '../days.ts'
import { worldFrequency } from '../planted.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { GraphNode, GraphWorld, InsightsQuery } from './graph.ts'
import { graphError, listReply, pickFields } from './replies.ts'

const audienceNodes = (account: WorldAccount): GraphNode[] =>
  Object.values(worldAudiences(account)).map((audience) => ({ ...audience }))

/** Nodes of `adimages`, by hash. */
const imageNodes = (account: WorldAccount, campaigns: WorldCampaign[]): (GraphNode & { hash: string })[] =>
  campaigns.flatMap((campaign) =>
    campaign.adSets.flatMap(({ ads }) =>
      ads.map((ad) => {
        const { width, height, imageHash: hash } = worldCreative(ad, campaign.objective)
        return { id: `${account.id}:${hash}`, hash, width, height }
      }),
    ),
  )

const videoNodes = (campaigns: WorldCampaign[]): GraphNode[] =>
  campaigns.flatMap((campaign) =>
    campaign.adSets.flatMap(({ ads }) =>
      ads.flatMap((ad) => {
        if (ad.videoId === null) return []
        const { width, height, durationMs } = worldCreative(ad, campaign.objective)
        return [{ id: ad.videoId, length: durationMs! / 1000, format: [{ filter: 'native', width, height }] }]
      }),
    ),
  )

/** One row per range and ad with delivery in it; ranges may overlap. */
function frequencyRows(
  world: GraphWorld,
  account: WorldAccount,
  query: Pick<InsightsQuery, 'now' | 'seed'> & { ranges: { since: string; until: string }[] },
): GraphNode[] {
  const today = localTime(query.now, account.timezone)
  return query.ranges.flatMap(({ since, until }) =>
    world.campaigns(account).flatMap((campaign) =>
      campaign.adSets.flatMap(({ ads }) =>
        ads.flatMap((ad) => {
          const impressions = listDays(since, until)
            .map((day) => worldDelivery(query.seed, account, campaign, ad, day, today)?.impressions ?? 0)
            .reduce((sum, count) => sum + count, 0)
          if (impressions === 0) return []
          const frequency = worldFrequency(ad, until)
          return [
            {
              id: `${ad.id} ${until}`,
              ad_id: ad.id,
              date_start: since,
              date_stop: until,
              impressions: String(impressions),
              frequency: frequency.toFixed(6),
              reach: String(Math.round(impressions / frequency)),
            },
          ]
        }),
      ),
    ),
  )
}

/** The account's edges about creatives; null for other edges. */
export function creativeEdge(
  request: SandboxRequest,
  options: SandboxOptions,
  world: GraphWorld,
  account: WorldAccount,
  edge: string,
): SandboxReply | null {
  const ranges = request.query.get('time_ranges')
  if (edge === 'customaudiences') return listReply(request, audienceNodes(account))
  if (edge === 'adimages') {
    const hashes = JSON.parse(request.query.get('hashes') ?? '[]') as string[]
    const images = imageNodes(account, world.campaigns(account))
    return listReply(
      request,
      images.filter(({ hash }) => hashes.includes(hash)),
    )
  }
  if (edge !== 'insights' || ranges === null) return null
  const requestedRanges = JSON.parse(ranges) as { since: string; until: string }[]
  const rows = frequencyRows(world, account, {
    ranges: requestedRanges,
    now: options.now(),
    seed: options.seed,
  })
  return listReply(request, rows, 'date_start,date_stop')
}

/** Several videos in one request; as on the platform, a missing one fails the whole request. */
export function videosById(request: SandboxRequest, campaigns: WorldCampaign[], ids: string[]): SandboxReply {
  const videosByIds = new Map(videoNodes(campaigns).map((video) => [video.id, video]))
  const missing = ids.filter((id) => !videosByIds.has(id))
  if (missing.length > 0)
    return graphError(404, 803, `Some of the aliases you requested do not exist: ${missing.join(',')}`)
  const body = Object.fromEntries(ids.map((id) => [id, pickFields(request, videosByIds.get(id)!)]))
  return { status: 200, body }
}
