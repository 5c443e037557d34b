import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { loadSources, saveSources, sourceIdOf, type TouchSource } from './touch-sources.ts'

let app: TestApp
let profileId: string
beforeAll(async () => {
  ;({ app, profileId } = await startTestProfile())
})
afterAll(() => app.close())

const makeSource = (ad: string | null, isDirect = false): TouchSource => ({
  is_direct: isDirect,
  platform: null,
  campaign_external_id: '',
  ad_set_external_id: 'S – ü',
  ad_external_id: ad,
  source: null,
})

it('ids differ by each external id, between missing and empty ones, and for direct touches', () => {
  const sources = [makeSource('a'), makeSource('b'), makeSource(''), makeSource(null), makeSource(null, true)]
  expect(new Set(sources.map(sourceIdOf)).size).toBe(sources.length)
})

it('computes the same id as the migration did in SQL', async () => {
  const source = makeSource('a', true)
  const { rows } = await sql<{ id: string }>`
    select encode(substr(sha256(convert_to(concat_ws(chr(31), case when is_direct then 'direct' else '' end,
      coalesce(platform, chr(30)), coalesce(campaign_external_id, chr(30)), coalesce(ad_set_external_id, chr(30)),
      coalesce(ad_external_id, chr(30))), 'UTF8')), 1, 16), 'hex')::uuid as id
    from (select ${source.is_direct}::boolean as is_direct, ${source.platform}::text as platform,
      ${source.campaign_external_id}::text as campaign_external_id, ${source.ad_set_external_id}::text as ad_set_external_id,
      ${source.ad_external_id}::text as ad_external_id) t`.execute(app.service.db)
  expect(rows).toEqual([{ id: sourceIdOf(source) }])
})

it('stores a source again after its first transaction was rolled back', async () => {
  const source = makeSource('c')
  await expect(
    inTransaction(app.service.db, async (tx) => {
      await lockProfile(tx, profileId)
      await saveSources(tx, profileId, [source])
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  for (let time = 0; time < 3; time++)
    await inTransaction(app.service.db, async (tx) => {
      await lockProfile(tx, profileId)
      await saveSources(tx, profileId, [source])
      const loaded = await loadSources(tx, profileId, [sourceIdOf(source)])
      expect([...loaded]).toEqual([[sourceIdOf(source), source]])
    })
})
