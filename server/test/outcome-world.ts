/** Profiles that an app provisions, and the outcomes reported to the app. */
import { createProfile } from '../src/features/account/profiles/contract.ts'
import type { TestApp } from './app.ts'
import type { PartnerApp } from './make.ts'
import { until } from './until.ts'

/** A profile that the app provisioned, and its key. */
export async function provisionDealer(
  partner: PartnerApp,
  scopes: string[],
): Promise<{ profileId: string; key: string }> {
  const user = { email: `${crypto.randomUUID()}@example.com` }
  const body = { name: 'Dealer', timezone: 'Europe/Madrid', currency: 'EUR', user, scopes }
  const { data } = await partner.call(createProfile, { body })
  return { profileId: data.profile_id, key: data.api_key! }
}

export async function outcomesOf(app: TestApp, profileId: string) {
  const { rows } = await app.pool.query(
    `select * from outbox_events where profile_id = $1 and type = 'outcome.recorded' order by number`,
    [profileId],
  )
  return rows
}

/** Waits until everything recorded has been sent to its receivers. */
export const allSent = (app: TestApp, profileId: string) =>
  until(async () => {
    const { rowCount } = await app.pool.query(
      `select 1 from outbox_counters c join webhook_fanouts f on f.profile_id = c.profile_id
       where c.profile_id = $1 and (f.through_number < c.last_number or exists (
         select 1 from webhook_deliveries d where d.profile_id = $1 and d.status = 'pending'))`,
      [profileId],
    )
    return rowCount === 0
  })
