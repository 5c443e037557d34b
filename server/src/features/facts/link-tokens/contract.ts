import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CustomerId, ExpiresAt } from '../../../platform/contract/fields.ts'

const DAY_SECONDS = 86_400
const MAX_SECONDS = 30 * DAY_SECONDS

/** URL parameter that the tracker reads. */
export const LINK_PARAMETER = 'whence_link'

export const createLinkToken = endpoint({
  name: 'createLinkToken',
  method: 'POST',
  path: '/identity/link-tokens',
  summary: 'Create a signed token for a link to a known customer',
  description:
    'A visitor who opens the link is linked to this customer, unless an event identifies them as another person; two known people are never merged. The token contains no personal data. Returns 503 `link_tokens_disabled` if the server has no `LINK_TOKEN_SECRET`; then send the link without a token.',
  tag: 'identity',
  noPage: 'programs',
  access: { kind: 'profile', scopes: ['identity:write'] },
  body: z
    .strictObject({
      customer_id: CustomerId.optional(),
      external_ref: z.string().min(1).max(320).optional().describe('The external_id of the customer'),
      url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .optional()
        .describe('The URL to add the token to'),
      expires_in_seconds: z
        .int()
        .min(60)
        .max(MAX_SECONDS)
        .default(7 * DAY_SECONDS)
        .describe('Seconds until it expires'),
    })
    .refine((body) => (body.customer_id === undefined) !== (body.external_ref === undefined), {
      message: 'exactly one of customer_id and external_ref is required',
    }),
  reply: z.object({
    token: z.string().describe('Token that identifies the customer in links of mails'),
    url: z
      .string()
      .nullable()
      .describe(`\`url\` with the token as parameter \`${LINK_PARAMETER}\`; null without a url`),
    expires_at: ExpiresAt,
  }),
  statuses: [201],
  errors: ['customer_not_found', 'link_tokens_disabled'],
  secretReply: true,
  example: { body: { external_ref: 'customer-1042', url: 'https://shop.example/offer' } },
})
