import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import {
  ConnectionId,
  Country,
  CustomerId,
  Name,
  notPersonal,
  ProfileId,
} from '../../../../platform/contract/fields.ts'
import { exportWrites, impersonal, platformWriteErrors } from '../destinations/contract.ts'

const tag = 'exports'
const MAX_MEMBERS = 10_000
const consent = z.enum(['granted', 'denied', 'unspecified'])

export const ListConsent = z
  .strictObject({
    ad_user_data: consent.describe('Consent to send data of the person to ad platforms'),
    ad_personalization: consent.describe('Consent to personalised ads'),
  })
  .describe(
    'Consent of everyone on the list; with a filter, of customers whose events state none. A list without consent to `ad_user_data` is refused',
  )

export const CustomerListMember = z.union([
  z.strictObject({ customer_id: CustomerId }),
  z.strictObject({
    email: z.string().max(320).optional().describe('Email address of the person'),
    phone: z.string().max(64).optional().describe('Phone number with country code'),
    country: Country.optional().describe(
      "ISO 3166 code of the country of `phone`; default: the profile's country",
    ),
    external_id: z.string().max(320).optional().describe('The sender’s own id of the customer'),
  }),
])
export type CustomerListMember = z.infer<typeof CustomerListMember>

export const sendCustomerList = endpoint({
  name: 'sendCustomerList',
  fresh: true,
  method: 'POST',
  path: '/partner/audiences/customer-list',
  summary: 'Add customers to a customer list at an ad platform, or remove them',
  description:
    'Requires a partner app’s API key. The platform matches members by hashes; only keyed identifiers are stored here. Excluded customers, and people who refused the use for ads, are left out and counted in `excluded`. `replace` also removes earlier members that can still be identified. In the mode platform_safe the list must be switched on in the catalogue, and the platform receives a neutral name.',
  tag,
  noPage: 'partner_apps',
  access: exportWrites,
  body: z.strictObject({
    connection_id: ConnectionId,
    audience: z
      .union([
        z.strictObject({ id: impersonal(200).describe('The platform’s id of the audience') }),
        z.strictObject({
          name: Name.refine(...notPersonal).describe('Name of the audience at the platform'),
        }),
      ])
      .describe('The audience at the platform that receives the people'),
    operation: z.enum(['add', 'remove', 'replace']).describe('Whether the members are added or removed'),
    members: z.array(CustomerListMember).min(1).max(MAX_MEMBERS).describe('People on the list'),
    consent: ListConsent,
    terms_accepted: z
      .boolean()
      .default(false)
      .describe('True if a user of the ad account accepted the platform’s terms for customer lists'),
    dry_run: z.boolean().default(false).describe('Validates without making changes'),
  }),
  bodyLimit: 8 * 1024 * 1024,
  reply: z.object({
    run_id: z.uuid().nullable().describe('Null in a dry run'),
    audience_id: z
      .string()
      .nullable()
      .describe('Id of the audience at the platform; null until the platform has created it'),
    received: z.int().describe('Number of people in the request'),
    queued: z.int().describe('Number of people that wait to be sent'),
    excluded: z.int().describe('Number of people on the exclusion list'),
    invalid: z
      .array(
        z.object({
          index: z.int().describe('Position in the request, from 0'),
          reason: z
            .enum(['customer_not_in_profile', 'no_match_keys'])
            .describe('Why the person was not sent'),
        }),
      )
      .describe('The people that were rejected, with the reason'),
  }),
  statuses: [202],
  example: {
    body: {
      connection_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111',
      audience: { name: 'Members' },
      operation: 'add',
      members: [{ email: 'ana@example.com' }],
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
      dry_run: true,
    },
  },
  errors: [
    'api_key_required',
    'audience_tos_required',
    'platform_safe_audiences_disabled',
    ...platformWriteErrors,
  ],
})

const amount = z.string().max(40)

const AudienceFilter = z.strictObject({
  date_from: z.iso.date().describe('First day of the range, YYYY-MM-DD, in the time zone of the profile'),
  date_to: z.iso.date().describe('Last day of the range, inclusive, YYYY-MM-DD'),
  outcome_type: z
    .string()
    .max(64)
    .optional()
    .describe('Customers with a conversion of this type on these days; default: any conversion'),
  revenue_min: amount
    .optional()
    .describe('Minimum cash revenue of these days, less refunds, in the reporting currency'),
  revenue_max: amount.optional().describe('Maximum revenue of the customer'),
  none_since: z.boolean().default(false).describe('Only customers without a conversion after date_to'),
})
export type AudienceFilter = z.output<typeof AudienceFilter>

export const createAudience = endpoint({
  name: 'createAudience',
  fresh: true,
  method: 'POST',
  path: '/audiences',
  summary: 'Create or update a customer list from a filter',
  description:
    'The first call creates the list of this name; later calls replace its members. Customers who refused consent and excluded customers are left out; those who refuse later are removed. At most 10000 customers may match. Not for partner apps, which send members instead. On a healthcare profile it requires an owner or admin, and the owners are notified by mail.',
  tag,
  access: exportWrites,
  refusesApps: true,
  body: z.strictObject({
    connection_id: ConnectionId,
    name: Name.refine(...notPersonal).describe('Name of the audience at the platform'),
    filter: AudienceFilter.describe('Filter for customers'),
    consent: ListConsent,
    terms_accepted: z
      .boolean()
      .default(false)
      .describe('True if a user of the ad account accepted the platform’s terms for customer lists'),
    dry_run: z.boolean().default(false).describe('Count only; nothing is sent'),
  }),
  slow: true,
  reply: z.object({
    audience_id: z
      .string()
      .nullable()
      .describe('Id of the audience at the platform; null until the platform has created it'),
    matched: z.int().describe('Number of people matched'),
    consent_refused: z.int().describe('People excluded because they refused consent'),
    excluded: z.int().describe('Number of people on the exclusion list'),
    no_match_keys: z.int().describe('Customers without an email, phone or id to match by'),
    queued: z.int().describe('Number of people that wait to be sent'),
  }),
  statuses: [202],
  example: {
    body: {
      connection_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111',
      name: 'Buyers',
      filter: { date_from: '2026-03-01', date_to: '2026-05-31' },
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
      dry_run: true,
    },
  },
  errors: [
    'invalid_date_range',
    'forbidden',
    'audience_tos_required',
    'platform_safe_audiences_disabled',
    ...platformWriteErrors,
  ],
})

export const saveAudienceExclusions = endpoint({
  name: 'saveAudienceExclusions',
  method: 'PUT',
  path: '/profiles/{profileId}/audience-exclusions',
  summary: 'Exclude customers from every audience',
  description:
    'Replaces the exclusion list. People you add are also removed from lists already sent. Exclusions follow merges. After an erasure only a hash is kept, so that the person stays excluded. Requires the credential of the provisioning app, or a member with the role editor or higher.',
  tag: 'profiles',
  access: { kind: 'user_or_app' },
  params: z.object({ profileId: z.uuid().describe('Id of the profile') }),
  body: z.strictObject({
    customer_ids: z.array(z.uuid()).max(MAX_MEMBERS).describe('Ids of customers'),
    reason: z
      .string()
      .trim()
      .max(500)
      .optional()
      .describe('Why these people are excluded, for the audit log'),
  }),
  bodyLimit: 2 * 1024 * 1024,
  reply: z.object({
    excluded: z.int().describe('Number of people on the exclusion list'),
    added: z.int().describe('Number of people added to the exclusion list'),
    removed: z.int().describe('Number of people taken off the exclusion list'),
    removals_queued: z.int().describe('Number of removals queued'),
  }),
  meta: { profile_id: ProfileId },
  example: { body: { customer_ids: [] } },
  errors: ['not_found', 'forbidden', 'customer_not_in_profile'],
})
