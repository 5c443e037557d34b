/** Exported tables and columns: the source of `GET /data-exports/schema` and of every Parquet file. */
import { models } from '@whence/engine'

/** `sum`: totalled in the manifest. `free`: free text, left empty if it looks like an email address or phone number. */
export type Column = {
  name: string
  type: 'uuid' | 'text' | 'integer' | 'day' | 'time' | 'boolean'
  about: string
  nullable?: true
  sum?: true
  free?: true
}
export type ExportTable = { name: TableName; about: string; byDay: boolean; columns: readonly Column[] }

export const tableNames = [
  'events',
  'customers',
  'identities',
  'touches',
  'conversions',
  'payments',
  'refunds',
  'credits',
  'paths',
  'campaigns',
  'ad_sets',
  'ads',
  'ad_versions',
  'creatives',
  'delivery',
  'rates',
  'daily',
] as const
export type TableName = (typeof tableNames)[number]

const column = (name: string, type: Column['type'], about: string, flags: Partial<Column> = {}): Column => ({
  name,
  type,
  about,
  ...flags,
})
const nullable = { nullable: true } as const
const free = { nullable: true, free: true } as const
const sum = { nullable: true, sum: true } as const
const day = (about: string) => column('day', 'day', about)
const localDay = day('Local day of occurred_at in the profile’s time zone')
const occurredAt = column('occurred_at', 'time', 'When it happened')
const recordedAt = column('recorded_at', 'time', 'When the service stored it')
const identifier = column(
  'identifier_id',
  'uuid',
  'Pseudonym of the identifier; `identities` has its customer',
)
const outcomeType = column('outcome_type', 'text', 'Such as payment_received or lead_created')
const revenueType = column('revenue_type', 'text', 'cash, pipeline or gross; only cash is revenue')
const reportMinor = (name: string, about: string) =>
  column(
    name,
    'integer',
    `${about}, in minor units of the profile’s currency; null without an exchange rate`,
    sum,
  )

const entity: readonly Column[] = [
  column('id', 'uuid', 'Our id, as in reports'),
  column('external_id', 'text', 'The platform’s id', free),
  column('name', 'text', 'The platform’s name', free),
  column('source', 'text', 'Connection or import that listed it', nullable),
  column('platform', 'text', 'Ad platform of its highest parent'),
  column('channel', 'text', 'Channel of that platform'),
  column('campaign_id', 'uuid', 'Campaign that contains it', nullable),
  column('ad_set_id', 'uuid', 'Ad set that contains it', nullable),
  column('status', 'text', 'As the platform reports it', nullable),
  column('objective', 'text', 'As the platform reports it', nullable),
  column('currency', 'text', 'Currency of the budgets', nullable),
  column('daily_budget_minor', 'integer', 'In minor units of `currency`', nullable),
  column('lifetime_budget_minor', 'integer', 'In minor units of `currency`', nullable),
]

const dividing = ['linear', 'time_decay'] as const

export const exportTables: readonly ExportTable[] = [
  {
    name: 'events',
    about: 'Raw events without personal values, until they expire.',
    byDay: true,
    columns: [
      localDay,
      column('event_id', 'uuid', 'Id of the event'),
      occurredAt,
      column('received_at', 'time', 'When the service received it'),
      column('name', 'text', 'Name of the event', free),
      column('source', 'text', 'How it was received'),
      column('provider', 'text', 'Connected provider that sent it', nullable),
      column('is_bot', 'boolean', 'Detected as automated traffic'),
    ],
  },
  {
    name: 'customers',
    about: 'Customers after merges.',
    byDay: false,
    columns: [
      column('customer_id', 'uuid', 'Id of the customer'),
      column('identifiers', 'integer', 'Number of its identifiers'),
    ],
  },
  {
    name: 'identities',
    about: 'Which customer an identifier belongs to, with merges applied.',
    byDay: false,
    columns: [
      column('identifier_id', 'uuid', 'Pseudonym of the identifier: a keyed hash'),
      column('customer_id', 'uuid', 'Customer of the identifier'),
      column('email_sha256', 'text', 'SHA-256 of the email address; only with include_identifiers', nullable),
      column('phone_sha256', 'text', 'SHA-256 of the phone number; only with include_identifiers', nullable),
    ],
  },
  {
    name: 'touches',
    about: 'Visits, clicks and messages that may be credited.',
    byDay: true,
    columns: [
      localDay,
      column('touch_id', 'uuid', 'Id of the touch'),
      identifier,
      occurredAt,
      recordedAt,
      column('channel', 'text', 'Such as paid_search, email or direct'),
      column('platform', 'text', 'Ad platform', nullable),
      column('origin', 'text', 'How the touch was recorded'),
      column('is_direct', 'boolean', 'The visit has no source'),
      column('campaign_external_id', 'text', 'The platform’s campaign id', free),
      column('ad_set_external_id', 'text', 'The platform’s ad set id', free),
      column('ad_external_id', 'text', 'The platform’s ad id', free),
      column('utm_source', 'text', 'Tag of the link', free),
      column('utm_medium', 'text', 'Tag of the link', free),
      column('utm_campaign', 'text', 'Tag of the link', free),
      column('referrer_host', 'text', 'Host of the referring page', free),
      column('has_click_id', 'boolean', 'The link had a click id'),
      column('click_id_kind', 'text', 'Such as gclid', nullable),
    ],
  },
  {
    name: 'conversions',
    about: 'Outcomes, one row each.',
    byDay: true,
    columns: [
      day('Local day on which reports count it'),
      column('conversion_id', 'uuid', 'Id of the conversion'),
      column('event_id', 'uuid', 'Event that created it'),
      identifier,
      column('goal_id', 'uuid', 'Goal that counts it'),
      occurredAt,
      recordedAt,
      outcomeType,
      revenueType,
      column('currency', 'text', 'ISO 4217 code of value_minor', nullable),
      column('value_minor', 'integer', 'Amount in minor units of `currency`', nullable),
      reportMinor('report_value_minor', 'Amount'),
      column('is_counted', 'boolean', 'Counted in reports'),
      column('attribution_eligible', 'boolean', 'Its goal may be credited'),
      column('provider', 'text', 'Connected provider that sent it', nullable),
      column('duplicate_of', 'uuid', 'The conversion of the same sale that counts instead', nullable),
    ],
  },
  {
    name: 'payments',
    about: 'Payments, one row each.',
    byDay: true,
    columns: [
      localDay,
      column('payment_id', 'uuid', 'Id of the payment'),
      column('event_id', 'uuid', 'Event that created it'),
      identifier,
      occurredAt,
      recordedAt,
      column('provider', 'text', 'Who reported it'),
      column('status', 'text', 'Such as succeeded'),
      column('currency', 'text', 'ISO 4217 code of value_minor'),
      column('value_minor', 'integer', 'Amount in minor units of `currency`', sum),
      reportMinor('report_value_minor', 'Amount'),
      column('is_first_payment', 'boolean', 'Part of the customer’s first payment'),
      column('is_first_balance', 'boolean', 'The balance after a deposit that is the first payment'),
      column('is_installment', 'boolean', 'One of several instalments'),
    ],
  },
  {
    name: 'refunds',
    about: 'Refunds, one row each, on the day of the refund.',
    byDay: true,
    columns: [
      day('Local day on which reports subtract it'),
      column('refund_id', 'uuid', 'Id of the refund'),
      column('payment_id', 'uuid', 'Payment that is refunded'),
      occurredAt,
      recordedAt,
      column('kind', 'text', 'Who recorded it'),
      column('currency', 'text', 'ISO 4217 code of amount_minor'),
      column('amount_minor', 'integer', 'Amount in minor units of `currency`', sum),
      reportMinor('report_amount_minor', 'Amount that counts'),
    ],
  },
  {
    name: 'credits',
    about:
      'Credit per conversion, model and touch. Rows of one conversion and model add up to its amount. Files are split by the day of the conversion; refunds are rows with the day of the refund.',
    byDay: true,
    columns: [
      day('Local day on which reports count the row: of the refund if part is refund'),
      column('conversion_id', 'uuid', 'Conversion that is credited'),
      column('part', 'text', 'conversion, or refund for subtracted money'),
      column('refund_number', 'integer', 'Number of the refund within the conversion, from 1', nullable),
      column('model', 'text', models.join(', ')),
      column(
        'touch_number',
        'integer',
        'Number of the touch, from 1; null if no touch is credited',
        nullable,
      ),
      column('path_id', 'integer', 'Campaign, ad set and ad or source of the touch; see `paths`', nullable),
      column('weight', 'integer', 'Weight of the touch', nullable),
      column('total_weight', 'integer', 'Sum of the weights; weight ÷ total_weight is the share', nullable),
      reportMinor('value_minor', 'Credited amount, negative for refunds'),
      outcomeType,
      revenueType,
      column('first_payment', 'text', 'opens: first payment of a customer; balance: its remainder', nullable),
      column('has_rate', 'boolean', 'False if the exchange rate is missing'),
    ],
  },
  {
    name: 'paths',
    about: 'Campaign, ad set and ad of credited touches, or the source of the visit.',
    byDay: false,
    columns: [
      column('path_id', 'integer', 'Referenced by `credits`'),
      column('campaign_id', 'uuid', 'In `campaigns`', nullable),
      column('ad_set_id', 'uuid', 'In `ad_sets`', nullable),
      column('ad_id', 'uuid', 'In `ads`', nullable),
      column('platform', 'text', 'Ad platform of the highest level', nullable),
      column('channel', 'text', 'Channel in reports'),
      column('source', 'text', 'Platform of the ad, or site or newsletter of the visit', free),
    ],
  },
  { name: 'campaigns', about: 'Campaigns as they are now.', byDay: false, columns: entity },
  { name: 'ad_sets', about: 'Ad sets as they are now.', byDay: false, columns: entity },
  { name: 'ads', about: 'Ads as they are now.', byDay: false, columns: entity },
  {
    name: 'ad_versions',
    about: 'Earlier versions of campaigns, ad sets and ads, one row per change.',
    byDay: false,
    columns: [
      column('entity_id', 'uuid', 'Campaign, ad set or ad'),
      column('replaced_at', 'time', 'End of this version'),
      column('name', 'text', 'Name until then', free),
      column('status', 'text', 'Status until then', nullable),
      column('campaign_id', 'uuid', 'Campaign until then', nullable),
      column('ad_set_id', 'uuid', 'Ad set until then', nullable),
      column('daily_budget_minor', 'integer', 'Budget until then, in minor units of `currency`', nullable),
      column('currency', 'text', 'Currency of the budget', nullable),
    ],
  },
  {
    name: 'creatives',
    about: 'Texts and formats of ads.',
    byDay: false,
    columns: [
      column('ad_id', 'uuid', 'In `ads`'),
      column('format', 'text', 'Such as video or carousel', nullable),
      column('title', 'text', 'Headline', free),
      column('body', 'text', 'Text', free),
      column('cta_type', 'text', 'Button', nullable),
      column('landing_host', 'text', 'Host of the landing page', nullable),
      column('duration_ms', 'integer', 'Length of the video', nullable),
      column('card_count', 'integer', 'Cards of the carousel', nullable),
    ],
  },
  {
    name: 'delivery',
    about: 'Spend, impressions and clicks per entity and day, as reports count them.',
    byDay: true,
    columns: [
      day('Day of the ad account'),
      column('level', 'text', 'campaign, ad_set or ad'),
      column('entity_id', 'uuid', 'In the table of its level'),
      column('source', 'text', 'Connection or import'),
      column('spend_minor', 'integer', 'In minor units of the profile’s currency', sum),
      column('impressions', 'integer', 'Impressions', sum),
      column('clicks', 'integer', 'Clicks', sum),
      column('reach', 'integer', 'People reached on this day; cannot be summed', nullable),
      column(
        'platform_conversions_milli',
        'integer',
        'Conversions that the platform claims, in thousandths',
        nullable,
      ),
      column(
        'platform_value_minor',
        'integer',
        'Value of those conversions, in minor units of the profile’s currency',
        nullable,
      ),
      column('messaging_started_7d', 'integer', 'Chats started', nullable),
      column('fx_missing', 'integer', 'Amounts without an exchange rate, counted as 0'),
    ],
  },
  {
    name: 'rates',
    about: 'Exchange rates of the currencies in the profile’s facts.',
    byDay: false,
    columns: [
      day('Day of the rate'),
      column('currency', 'text', 'ISO 4217 code'),
      column(
        'base',
        'text',
        'reference: units of `currency` for one of base; entered: units of base for one of `currency`',
      ),
      column('rate', 'text', 'Decimal number'),
      column('origin', 'text', 'reference or entered'),
    ],
  },
  {
    name: 'daily',
    about: 'Totals behind the reports, per entity, day, outcome type and revenue type, for every model.',
    byDay: true,
    columns: [
      day('Local day'),
      column('level', 'text', 'campaign, ad_set or ad'),
      column('entity_id', 'uuid', 'All zeros: not credited to an entity'),
      outcomeType,
      column('revenue_type', 'text', 'As in conversions; cash is split by first payments and missing rates'),
      ...models.flatMap((model) => [
        column(`${model}_count`, 'integer', 'Conversions with a share'),
        column(`${model}_minor`, 'integer', 'Credited amount in minor units of the profile’s currency', {
          sum: true,
        }),
      ]),
      ...dividing.flatMap((model) => [
        column(`${model}_share_high`, 'integer', 'Sum of shares, upper part'),
        column(`${model}_share_low`, 'integer', 'Sum of shares, lower part'),
      ]),
    ],
  },
]

/** Increase it when the meaning of a column changes: readers can check it, and every file is written again. */
export const SCHEMA_VERSION = 1
