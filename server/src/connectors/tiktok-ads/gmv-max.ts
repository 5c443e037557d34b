/**
 * GMV Max campaigns sell for a TikTok Shop. Their spend is in no other report, so the account's spend is the sum of the
 * ad reports and the reports of its stores.
 */
import { z } from 'zod'
import { type DeliveryStep, deliverySteps, type StepCursor, type StepPage } from '../ad-account-steps.ts'
import { ProviderError, type Session, type SetAside, type SyncWindow } from '../connector.ts'
import { mapItems, parsedOrSetAside, readableItems, setAsideEntries } from '../set-aside.ts'
import { callTiktok, orElse, readPage } from './calls.ts'
import { halveDays, pageOf, partOf, toAfter } from './fewer-days.ts'
import { toGmvMaxDelivery } from './mapping.ts'
import { Campaign, GmvMaxRow, Store } from './replies.ts'

export type GmvMaxStep = Omit<DeliveryStep, 'kind' | 'level'> & { kind: 'gmv_max' }

const MAX_DAYS = 30

export const gmvMaxCampaigns = {
  filtering: { gmv_max_promotion_types: ['PRODUCT_GMV_MAX', 'LIVE_GMV_MAX'], primary_status: 'STATUS_ALL' },
}

export const gmvMaxCampaignList = {
  kind: 'campaign',
  path: '/gmv_max/campaign/get/',
  item: Campaign,
  pageSize: 100,
  query: gmvMaxCampaigns,
}

export const gmvMaxSteps = (window: SyncWindow): GmvMaxStep[] =>
  deliverySteps(window, { campaign: MAX_DAYS, ad_set: MAX_DAYS, ad: MAX_DAYS })
    .filter(({ level }) => level === 'campaign')
    .map(({ since, until }) => ({ kind: 'gmv_max', since, until }))

/** The remaining stores, and the cursor in the report of the first one. */
const StoreCursor = z.object({ stores: z.array(z.string()), at: z.string().nullable() })

/** A report covers one store. The list of stores is read once, so that no store is skipped between two pages. */
export async function readGmvMaxReport(
  session: Session,
  at: StepCursor,
  step: GmvMaxStep,
): Promise<StepPage> {
  const position = at.after === null ? null : StoreCursor.parse(JSON.parse(at.after))
  const { stores, setAside } = position === null ? await readStores(session) : { ...position, setAside: [] }
  const [store, ...otherStores] = stores
  // Reading the list of stores clears the notice about the account.
  const cleared = position === null ? [session.accountId] : []
  if (store === undefined) return { records: [], setAside, cleared, after: null }
  const page = await readStore(session, at.currency, step, store, position?.at ?? null)
  const remaining = page.after === null ? otherStores : stores
  return {
    records: page.records,
    setAside: [...setAside, ...(page.setAside ?? [])],
    cleared: [...cleared, store],
    after: remaining.length === 0 ? null : JSON.stringify({ stores: remaining, at: page.after }),
  }
}

type Stores = { stores: string[]; setAside: SetAside[] }

async function readStores(session: Session): Promise<Stores> {
  const read = async () => {
    const { store_list: list } = await callTiktok(session, '/gmv_max/store/list/', {
      query: { advertiser_id: session.accountId },
      schema: z.looseObject({ store_list: z.array(parsedOrSetAside('gmv_max_store', Store)).nullish() }),
    })
    const stores = [...new Set(readableItems(list ?? []).map(({ store_id: id }) => id))].sort()
    return { stores, setAside: setAsideEntries(list ?? []) }
  }
  const storesOrRefusal = await orElse<Stores | ProviderError>(read, (refusal) => refusal)
  if (!(storesOrRefusal instanceof ProviderError)) return storesOrRefusal
  // Accounts without a shop are refused too; spend is missing only if GMV Max campaigns exist or the permission is missing.
  const missesSpend = storesOrRefusal.reason === 'permission_missing' || (await hasCampaigns(session))
  return { stores: [], setAside: missesSpend ? [unreadable(session.accountId, storesOrRefusal)] : [] }
}

const hasCampaigns = (session: Session): Promise<boolean> =>
  orElse(
    async () => (await readPage(session, gmvMaxCampaignList, 1)).items.length > 0,
    () => false,
  )

const unreadable = (externalId: string, refusal: ProviderError): SetAside => ({
  kind: 'gmv_max_store',
  externalId,
  reason: `GMV Max spend cannot be read: ${refusal.providerMessage ?? refusal.message}`,
})

async function readStore(
  session: Session,
  currency: string,
  step: GmvMaxStep,
  store: string,
  after: string | null,
): Promise<StepPage> {
  const part = partOf(step, after)
  const read = async (): Promise<StepPage> => {
    const { items, next } = await readPage(
      session,
      {
        kind: 'gmv_max_delivery',
        path: '/gmv_max/report/get/',
        item: GmvMaxRow,
        pageSize: 1000,
        query: {
          store_ids: [store],
          dimensions: ['campaign_id', 'stat_time_day'],
          metrics: ['cost', 'orders', 'gross_revenue', 'currency'],
          start_date: part.since,
          end_date: part.until,
          filtering: {
            campaign_statuses: [
              'STATUS_DELIVERY_OK',
              'STATUS_NOT_DELIVERY',
              'STATUS_DISABLE',
              'STATUS_DELETE',
            ],
          },
        },
      },
      pageOf(after),
    )
    const rows = mapItems('gmv_max_delivery', items, (row) => toGmvMaxDelivery(row, currency))
    return { ...rows, after: toAfter(step, part, next) }
  }
  try {
    return await orElse(read, (refusal) => ({
      records: [],
      setAside: [unreadable(store, refusal)],
      after: null,
    }))
  } catch (error) {
    return { records: [], after: halveDays(part, error) }
  }
}
