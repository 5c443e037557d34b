/** A world as a list of steps in order of arrival: the input of both the service and the oracle. */
import { DAY } from './decimal.ts'

export type Level = 'campaign' | 'ad_set' | 'ad'
export type RevenueType = 'cash' | 'pipeline' | 'gross'
export type IdentifierKind = 'external_id' | 'email' | 'phone' | 'anonymous_id'

/** The body of a server-side event, as sent. */
export type ServerEvent = {
  event_name: string
  anonymous_id?: string
  timestamp?: string
  properties?: { value?: number | string; currency?: string; subject_ref?: string; order_id?: string }
  user_traits?: { email?: string; phone?: string; external_id?: string }
  utm?: Record<string, string>
  click_ids?: Record<string, string>
  ad?: AdNames
  idempotency_key?: string
}

export type AdNames = { ad_id?: string; ad_set_id?: string; campaign_id?: string }

/** A page view of the browser; the collector's other fields do not affect reports. */
export type Page = {
  event_id: string
  occurredAt: number
  anonymous_id: string
  session_start: boolean
  url: string
  referrer: string
  utm: Record<string, string>
  click_ids: Record<string, string>
  ad: AdNames
  email?: string
  /** A purchase reported by the browser. */
  purchase?: { value: number | string; currency: string; order_id?: string }
}

export type PaymentStatus = 'succeeded' | 'pending' | 'failed' | 'disputed'
type Contact = { email?: string; phone?: string; external_ref?: string }

/** The body of POST /payments/cardgateway. */
export type CardPayment = {
  payment_id: string
  value: number | string
  currency: string
  occurred_at?: string
  status?: PaymentStatus
  order_id?: string
  customer?: Contact & { anonymous_id?: string }
}

/** The body of POST /partner/ad-referrals. */
export type Referral = {
  ad_id: string
  channel: 'chatapp' | 'photoapp' | 'pagechat'
  occurred_at: string
  customer: Contact
  idempotency_key?: string
}

export type SpendRow = {
  source: string
  level: Level
  campaign_id?: string
  campaign_name?: string
  ad_set_id?: string
  ad_set_name?: string
  ad_id?: string
  ad_name?: string
  date: string
  spend: string
  currency?: string
  impressions?: number
  clicks?: number
  reach?: number
  platform_conversions?: string
  platform_conversion_value?: string
}

export type GoalFields = {
  source_event_names: string[]
  outcome_type: string
  revenue_type: RevenueType
  attribution_eligible: boolean
}

/** An identifier in a sender's spelling. */
export type Identifier = { kind: IdentifierKind; value: string }

/** `at` is the service's time when the step arrives, in ms. */
export type Step = { at: number } & (
  | { type: 'events'; batch: boolean; events: ServerEvent[] }
  | { type: 'pages'; pages: Page[] }
  | { type: 'card'; body: CardPayment }
  | { type: 'referral'; body: Referral }
  | { type: 'retract'; key: string }
  | { type: 'refund'; key: string; value: string; occurredAt: number | null }
  | { type: 'undo_refund'; key: string }
  | { type: 'installment'; key: string; isInstallment: boolean }
  | { type: 'payer'; key: string; payer: Identifier | null }
  | { type: 'spend'; rows: SpendRow[] }
  | { type: 'create_goal'; key: string; fields: GoalFields }
  | { type: 'update_goal'; key: string; fields: Partial<GoalFields> }
  | { type: 'delete_goal'; key: string }
  | { type: 'settings'; settings: Partial<Settings> }
  | { type: 'merge'; name: string; from: Identifier; into: Identifier }
  | { type: 'undo_merge'; name: string }
  | { type: 'erase'; name: string; who: Identifier }
  | { type: 'browser_revenue'; mode: BrowserRevenue }
  /** Processes the queue before the next step. */
  | { type: 'process' }
)

export type BrowserRevenue = 'count' | 'confirm' | 'ignore'

export type Settings = { lookbackDays: number; firstTouchLookbackDays: number; halfLifeDays: number }

export type World = { seed: number; zone: string; currency: string; steps: Step[] }

export const defaultSettings: Settings = { lookbackDays: 30, firstTouchLookbackDays: 90, halfLifeDays: 7 }

/** Default goals of every new profile. */
export const defaultGoals: readonly (GoalFields & { key: string })[] = (
  [
    ['payment_received', 'cash'],
    ['lead_created', 'pipeline'],
    ['dm_started', 'pipeline'],
    ['appointment_booked', 'pipeline'],
    ['appointment_attended', 'pipeline'],
    ['quote_presented', 'pipeline'],
    ['closed_won', 'pipeline'],
    ['order_placed', 'gross'],
  ] as const
).map(([key, revenue_type]) => ({
  key,
  source_event_names: [key],
  outcome_type: key,
  revenue_type,
  attribution_eligible: true,
}))

export type Rate = { day: string; currency: string; rate: string }

/** Units per euro, on working days only; the franc has none for weeks, so that some money has no rate. */
export const rates: readonly Rate[] = listRates()

function listRates(): Rate[] {
  const listedRates: Rate[] = []
  const first = Date.UTC(2025, 9, 1)
  for (let day = 0; day < 260; day++) {
    const date = new Date(first + day * DAY)
    if (date.getUTCDay() === 0 || date.getUTCDay() === 6) continue
    const text = date.toISOString().slice(0, 10)
    const drift = (day * 7919) % 997
    listedRates.push({ day: text, currency: 'EUR', rate: '1' })
    listedRates.push({ day: text, currency: 'USD', rate: `1.${String(1000 + drift).slice(1)}7` })
    listedRates.push({
      day: text,
      currency: 'JPY',
      rate: `16${drift % 10}.${String(drift).padStart(3, '0')}`,
    })
    listedRates.push({ day: text, currency: 'BHD', rate: `0.4${String(drift).padStart(3, '0')}1` })
    if (day < 150 || day > 175) listedRates.push({ day: text, currency: 'CHF', rate: `0.9${drift}` })
  }
  return listedRates
}
