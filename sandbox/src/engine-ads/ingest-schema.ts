/**
 * Requests of the Data Manager API according to its published protos; unknown names are refused.
 * A test compares these names with the official client's message types.
 */
import { z } from 'zod'

const hexOrBase64 = z.string().regex(/^[0-9a-f]{64}$|^[A-Za-z0-9+/]{43}=$/, 'INVALID_SHA256_FORMAT')
const timestamp = z.iso.datetime({ offset: true, error: 'INVALID_FORMAT' })
/** An enum's name or number: proto JSON allows both, and the official client sends numbers. */
const protoEnum = <T extends string>(numbers: Record<T, number>) => {
  const names = Object.keys(numbers) as [T, ...T[]]
  const byNumber = new Map(names.map((name) => [numbers[name], name]))
  return z.preprocess(
    (value) => (typeof value === 'number' ? byNumber.get(value) : value),
    z.enum(names, { error: 'INVALID_ENUM_VALUE' }),
  )
}
const consentStatus = protoEnum({ CONSENT_STATUS_UNSPECIFIED: 0, CONSENT_GRANTED: 1, CONSENT_DENIED: 2 })

const Consent = z.strictObject({
  adUserData: consentStatus.optional(),
  adPersonalization: consentStatus.optional(),
})

const AddressInfo = z.strictObject({
  givenName: hexOrBase64,
  familyName: hexOrBase64,
  regionCode: z.string().length(2),
  postalCode: z.string(),
})

const UserIdentifier = z
  .strictObject({
    emailAddress: hexOrBase64.optional(),
    phoneNumber: hexOrBase64.optional(),
    address: AddressInfo.optional(),
  })
  .refine((value) => Object.keys(value).length === 1, 'INVALID_FORMAT')

const UserData = z.strictObject({
  userIdentifiers: z
    .array(UserIdentifier)
    .min(1, 'REQUIRED_FIELD_MISSING')
    .max(10, 'TOO_MANY_USER_IDENTIFIERS'),
})

const ProductAccount = z.strictObject({
  accountType: protoEnum({ GOOGLE_ADS: 1 }),
  accountId: z.string().regex(/^\d+$/, 'INVALID_FORMAT'),
})

const Destination = z.strictObject({
  reference: z.string().optional(),
  loginAccount: ProductAccount.optional(),
  operatingAccount: ProductAccount,
  productDestinationId: z.string().regex(/^\d+$/, 'INVALID_CONVERSION_ACTION_ID'),
})
const destinations = z.array(Destination).min(1, 'REQUIRED_FIELD_MISSING').max(10, 'TOO_MANY_DESTINATIONS')

const Event = z
  .strictObject({
    destinationReferences: z.array(z.string()).optional(),
    transactionId: z.string().min(1).max(512).optional(),
    eventTimestamp: timestamp,
    lastUpdatedTimestamp: timestamp.optional(),
    userData: UserData.optional(),
    consent: Consent.optional(),
    adIdentifiers: z
      .strictObject({
        sessionAttributes: z.string().optional(),
        gclid: z.string().optional(),
        gbraid: z.string().optional(),
        wbraid: z.string().optional(),
      })
      .optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'INVALID_CURRENCY_CODE')
      .optional(),
    conversionValue: z.number({ error: 'INVALID_NUMBER_FORMAT' }).optional(),
    eventSource: protoEnum({ WEB: 1, APP: 2, IN_STORE: 3, PHONE: 4, OTHER: 5, MESSAGE: 6 }).optional(),
    eventDeviceInfo: z
      .strictObject({ userAgent: z.string().optional(), ipAddress: z.string().optional() })
      .optional(),
  })
  .refine(
    (event) => event.userData !== undefined || event.adIdentifiers !== undefined,
    'NO_IDENTIFIERS_PROVIDED',
  )
export type IngestedEvent = z.infer<typeof Event>

const encoding = protoEnum({ HEX: 1, BASE64: 2 })

export const IngestEvents = z.strictObject({
  destinations,
  events: z.array(Event).min(1, 'REQUIRED_FIELD_MISSING').max(2000, 'TOO_MANY_EVENTS'),
  consent: Consent.optional(),
  validateOnly: z.boolean().optional(),
  encoding,
})

const audienceMembers = z
  .array(z.strictObject({ userData: UserData, consent: Consent.optional() }))
  .min(1, 'REQUIRED_FIELD_MISSING')
  .max(10_000, 'TOO_MANY_AUDIENCE_MEMBERS')

export const RemoveMembers = z.strictObject({
  destinations,
  audienceMembers,
  validateOnly: z.boolean().optional(),
  encoding,
})
export const IngestMembers = RemoveMembers.extend({
  consent: Consent.optional(),
  termsOfService: z
    .strictObject({
      customerMatchTermsOfServiceStatus: protoEnum({ ACCEPTED: 1, REJECTED: 2 }),
    })
    .optional(),
})

export const UserList = z.strictObject({
  displayName: z.string().min(1, 'REQUIRED_FIELD_MISSING'),
  description: z.string().optional(),
  membershipDuration: z
    .string()
    .regex(/^\d+s$/, 'INVALID_FORMAT')
    .optional(),
  ingestedUserListInfo: z.strictObject({
    uploadKeyTypes: z.array(z.enum(['CONTACT_ID'])).min(1, 'REQUIRED_FIELD_MISSING'),
    contactIdInfo: z.strictObject({ dataSourceType: z.enum(['DATA_SOURCE_TYPE_FIRST_PARTY']) }).optional(),
  }),
})

export type FieldViolation = { field: string; description: string; reason: string }

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `events.events[0].user_data`: a repeated field is named twice, as the platform does it. */
function fieldOf(path: PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part !== 'number') return snake(String(part))
      const list = snake(String(path[index - 1]))
      return index === 1 ? `${list}[${part}]` : `[${part}]`
    })
    .join('.')
    .replaceAll('.[', '[')
}

/** Violations of the schema; empty if the request is valid. */
export function violationsOf(schema: z.ZodType, body: unknown): FieldViolation[] {
  const parsed = schema.safeParse(body)
  if (parsed.success) return []
  return parsed.error.issues.map((issue) => {
    const field = fieldOf(issue.path)
    if (issue.code === 'unrecognized_keys')
      return {
        field,
        reason: 'INVALID_ARGUMENT',
        description: `Unknown name "${issue.keys.join('", "')}": Cannot find field.`,
      }
    const isWord = /^[A-Z_]+$/.test(issue.message)
    const reason = isWord
      ? issue.message
      : issue.code === 'invalid_type'
        ? 'REQUIRED_FIELD_MISSING'
        : 'INVALID_FORMAT'
    return {
      field,
      reason,
      description: `The value is not valid: ${reason.toLowerCase().replaceAll('_', ' ')}.`,
    }
  })
}
