/** Fields that many entries share. */
import { z } from 'zod'
import { findCountry } from './countries.ts'
import { findCurrency } from './money.ts'
import { isPersonal } from './personal-values.ts'
import { isTimeZone } from './zones.ts'

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone')
  .describe('IANA time zone, for example Europe/Madrid')

/** ISO 4217, any case in, upper case out. */
export const Currency = z
  .string()
  .max(8)
  .refine((text) => findCurrency(text) !== undefined, 'must be an ISO 4217 currency code')
  .transform((text) => findCurrency(text)!)
  .describe('ISO 4217 code of the currency')

/** ISO 3166 alpha-2, any case in, upper case out. */
export const Country = z
  .string()
  .max(8)
  .refine((text) => findCountry(text) !== undefined, 'must be an ISO 3166 country code')
  .transform((text) => findCountry(text)!)

/** A person's name and contact details; null if unknown. */
export const Contact = z.object({
  first_name: z.string().nullable().describe('First name of the person; null if it is not known'),
  last_name: z.string().nullable().describe('Last name of the person; null if it is not known'),
  email: z.string().nullable().describe('Email address of the person; null if it is not known'),
  phone: z.string().nullable().describe('Phone number with country code; null if it is not known'),
})

/** A campaign, ad set or ad by its ids and its name. */
export const NamedEntity = z.object({
  id: z.uuid().describe('Id of the campaign, ad set or ad'),
  platform_id: z.string().describe('The platform’s id'),
  name: z.string().nullable().describe('Name at the platform; null if the platform has not reported it'),
})

export const Name = z.string().trim().min(1).max(200)
/** For `refine`: text that is sent to a platform unchanged. */
export const notPersonal = [
  (text: string) => !isPersonal(text),
  'must not contain an email address or a phone number: platforms receive this text',
] as const
export const DomainName = z
  .string()
  .toLowerCase()
  .regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name')
/** Marks a parameter whose absence a later rule rejects with a specific code; documented as required. */
export const REQUIRED = 'x-required'

/** `meta` of a record over a fixed list of keys: what each key means. */
export const KEY_TEXTS = 'x-key-texts'

/** Accepts a row's Date unchanged; JSON serialises it as ISO 8601. */
export const Instant: z.ZodType<string, string | Date> = z.iso.datetime()

/** Fields of many schemas, with their texts. */
export const ProfileId = z.uuid().describe('Id of the profile')
export const WorkspaceId = z.uuid().describe('Id of the workspace')
export const CustomerId = z.uuid().describe('Id of the customer')
export const ConnectionId = z.uuid().describe('Id of the connection')
export const ConversionId = z.uuid().describe('Id of the conversion')
export const PaymentId = z.uuid().describe('Id of the payment')
export const CampaignId = z.uuid().describe('Id of the campaign')
export const EventId = z.uuid().describe('Id of the stored event')
export const CreatedAt = Instant.describe('When it was created')
export const OccurredAt = Instant.describe('When it happened')
export const UpdatedAt = Instant.describe('When it was last changed')
export const ExpiresAt = Instant.describe('When it expires')
export const CurrencyCode = z.string().describe('ISO 4217 code of the currency')
export const FirstDay = z
  .string()
  .describe('First day of the range, YYYY-MM-DD, in the time zone of the profile')
export const LastDay = z.string().describe('Last day of the range, inclusive, YYYY-MM-DD')
export const ProfileName = z.string().describe('Name of the profile')
export const ProviderName = z.string().describe('Provider of the account, for example social_ads')
export const ZoneName = z.string().describe('IANA time zone, for example Europe/Madrid')
export const Hint = z.string().describe('First and last characters, to recognise it')
export const OutcomeType = z
  .string()
  .describe('Type of the outcome, for example payment_received or lead_created')
export const WorkspaceParams = z.object({ workspaceId: z.uuid().describe('Id of the workspace') })

/** Only cash counts for revenue, ROAS and CAC. */
export const RevenueType = z
  .enum(['cash', 'pipeline', 'gross'])
  .describe('Only cash counts for revenue, ROAS and CAC')
export type RevenueType = z.infer<typeof RevenueType>

/** `?profile_ids=` selects profiles of a workspace; default: all that the caller has access to. */
export const ProfileIds = z
  .string()
  .max(4000)
  .transform((text) => text.split(',').map((id) => id.trim()))
  .pipe(z.array(z.uuid()).min(1).max(100))
  .optional()
  .describe('Comma-separated ids; default: all profiles you have access to')

export const CreatingApp = z
  .object({
    id: z.uuid().describe('Id of the partner app'),
    name: z.string().describe('Name of the partner app'),
  })
  .nullable()
  .describe(
    'The partner app that created it; it stops when the authorization of the app ends. Null if a person or a direct key created it',
  )
