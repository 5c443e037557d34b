/** Rows of the rollups as they are stored, for exports and scores, which add them up in memory or not at all. */
import { type RawBuilder, sql } from 'kysely'
import { NIL_ENTITY, PAYMENTS, UNRATED_REFUNDS } from '../../attribution/crediting/credits/rollups.ts'

export const storedDelivery = (profileId: string): RawBuilder<unknown> => sql`
    select day, level, entity_id, source, spend_minor, impressions, clicks, reach, platform_conversions_milli,
      platform_value_minor, messaging_started_7d, fx_missing
    from delivery_daily where profile_id = ${profileId}`

export const storedCredit = (profileId: string): RawBuilder<unknown> => sql`
    select day, level, entity_id, outcome_type, revenue_type, last_touch_count, last_touch_minor, first_touch_count,
      first_touch_minor, linear_count, linear_minor, time_decay_count, time_decay_minor, last_non_direct_count,
      last_non_direct_minor, linear_share_high, linear_share_low, time_decay_share_high, time_decay_share_low
    from credit_daily where profile_id = ${profileId}`

/** Whether any conversion is credited to an entity. */
export const hasCredit = (profileId: string): RawBuilder<boolean> => sql<boolean>`
      exists (select 1 from credit_daily c
        where c.profile_id = ${profileId} and c.entity_id <> ${NIL_ENTITY}::uuid)`

/** Profiles with a payment since a day, for a job that starts work of all profiles. */
export const profilesWithPayments = (since: string): RawBuilder<unknown> => sql`
      select profile_id from conversion_daily where revenue_type = 'cash' and day >= ${since}::date`

type AdDays = { profileId: string; from: string; to: string }

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')

/** COPY takes no parameters, so these are texts; ids and days have been parsed. */
export const adDeliveryText = ({ profileId, from, to }: AdDays): string =>
  `select entity_id, day, spend_minor, impressions, clicks, messaging_started_7d, platform_conversions_milli, platform_value_minor
     from delivery_daily where profile_id = '${profileId}' and level = 'ad' and day between '${from}' and '${to}'`

/** Count and money under last touch, and whether the row is cash, pipeline, a started conversation. */
export const adCreditText = ({ profileId, from, to }: AdDays): string =>
  `select entity_id, day, last_touch_count, last_touch_minor, revenue_type in (${quoted(PAYMENTS)}), revenue_type = 'pipeline',
       outcome_type = 'dm_started'
     from credit_daily where profile_id = '${profileId}' and level = 'ad' and day between '${from}' and '${to}'
       and revenue_type not in (${quoted(UNRATED_REFUNDS)})`
