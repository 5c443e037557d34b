/** Datasets (pixels) of an ad account, and the ad sets that optimise for one. */
import { z } from 'zod'
import { type Dataset, type LiveAdSet, ProviderError, type Session, type SwappedAdSet } from '../connector.ts'
import { id, maybeId, text } from '../reply-fields.ts'
import { callGraph, readWholeList } from './calls.ts'
import { GraphPixel } from './replies.ts'

const CreatedPixel = z.looseObject({ id })
const PromotedObject = z.looseObject({ pixel_id: maybeId })
const AdSet = z.looseObject({
  id,
  name: text,
  campaign_id: maybeId,
  promoted_object: PromotedObject.nullish(),
})
const CopiedAdSet = z.looseObject({ copied_adset_id: id })
const Success = z.looseObject({ success: z.boolean().nullish() })

export async function listDatasets(session: Session): Promise<Dataset[]> {
  const query = { fields: 'id,name,is_unavailable', limit: 100 }
  const path = `/${session.accountId}/adspixels`
  const pixels = await readWholeList(session.http, session.app, session.token, path, GraphPixel, query)
  return pixels.map(({ id: pixelId, name, is_unavailable: isUnavailable }) => ({
    id: pixelId,
    name,
    isUnavailable,
  }))
}

export async function createDataset(session: Session, name: string): Promise<Dataset> {
  const created = await post(session, `/${session.accountId}/adspixels`, { name }, CreatedPixel)
  return { id: created.id, name, isUnavailable: false }
}

export async function listLiveAdSets(session: Session, datasetId: string): Promise<LiveAdSet[]> {
  const adSets = await readWholeList(
    session.http,
    session.app,
    session.token,
    `/${session.accountId}/adsets`,
    AdSet,
    {
      fields: 'id,name,campaign_id,promoted_object',
      effective_status: JSON.stringify(['ACTIVE']),
      limit: 100,
    },
  )
  return adSets
    .filter(({ promoted_object: promoted }) => promoted?.pixel_id === datasetId)
    .map((adSet) => ({ id: adSet.id, name: adSet.name ?? adSet.id, campaignId: adSet.campaign_id }))
}

/** The copy is active on the new dataset before the original is paused, so that delivery is not interrupted. */
export async function duplicateAndSwapAdSets(
  session: Session,
  adSetIds: string[],
  datasetId: string,
): Promise<SwappedAdSet[]> {
  const swapped: SwappedAdSet[] = []
  for (const adSetId of adSetIds) swapped.push(await swap(session, adSetId, datasetId))
  return swapped
}

async function swap(session: Session, adSetId: string, datasetId: string): Promise<SwappedAdSet> {
  const path = `/${encodeURIComponent(adSetId)}`
  const original = await callGraph(session.http, session.app, session.token.accessToken, {
    path,
    query: { fields: 'id,name,campaign_id,promoted_object' },
    schema: AdSet,
  })
  if (!original.promoted_object) throw new ProviderError('rejected', 'The ad set optimises for no dataset')
  const copy = { deep_copy: 'true', status_option: 'PAUSED' }
  const { copied_adset_id: copyId } = await post(session, `${path}/copies`, copy, CopiedAdSet)
  const promoted = { ...original.promoted_object, pixel_id: datasetId }
  await post(session, `/${copyId}`, { promoted_object: JSON.stringify(promoted) }, Success)
  await post(session, `/${copyId}`, { status: 'ACTIVE' }, Success)
  await post(session, path, { status: 'PAUSED' }, Success)
  return { id: adSetId, replacedBy: copyId }
}

const post = <T>(session: Session, path: string, form: Record<string, string>, schema: z.ZodType<T>) =>
  callGraph(session.http, session.app, session.token.accessToken, { method: 'POST', path, form, schema })
