/** Fields that many entries share. */
import { z } from 'zod'
import { findCountry } from './countries.ts'
import { findCurrency } from './money.ts'
import { isPersonal } from './personal-values.ts'
import { isTimeZone } from './zones.ts'

export const TimeZone = z.string().max(64).refine(isTimeZone, 'must be an IANA time zone')

/** ISO 4217, any case in, upper case out. */
export const Currency = z
  .string()
  .max(8)
  .refine((text) => findCurrency(text) !== undefined, 'must be an ISO 4217 currency code')
  .transform((text) => findCurrency(text)!)

/** ISO 3166 alpha-2, any case in, upper case out. */
export const Country = z
  .string()
  .max(8)
  .refine((text) => findCountry(text) !== undefined, 'must be an ISO 3166 country code')
  .transform((text) => findCountry(text)!)

/** A person's name and contact details; null if unknown. */
export const Contact = z.object({
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})

/** A campaign, ad set or ad by its ids and its name. */
export const NamedEntity = z.object({ id: z.uuid(), platform_id: z.string(), name: z.string().nullable() })

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

/** Accepts a row's Date unchanged; JSON serialises it as ISO 8601. */
export const Instant: z.ZodType<string, string | Date> = z.iso.datetime()
export const WorkspaceParams = z.object({ workspaceId: z.uuid() })

/** Only cash counts for revenue, ROAS and CAC. */
export const RevenueType = z.enum(['cash', 'pipeline', 'gross'])
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
  .object({ id: z.uuid(), name: z.string() })
  .nullable()
  .describe(
    'The partner app that created it; it stops when the authorization of the app ends. Null if a person or a direct key created it',
  )
