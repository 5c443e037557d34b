/** The `webhooks` of openapi.json: what the service sends, and how a receiver answers. */
import { z } from 'zod'
import { valueFor } from '../contract/examples.ts'
import { pascal } from './openapi-errors.ts'
import type { JsonObject, SchemaBook } from './openapi-schemas.ts'

export type PublishedEvent = {
  type: string
  /** What happened, as a sentence. */
  when: string
  /** `data` as it is sent. */
  data: z.ZodType
  /** Providers that a subscription names to receive it; none where it is not subscribed to. */
  providers: readonly string[]
}

const headers: readonly [name: string, text: string][] = [
  ['webhook-id', 'Id of the event, the same in every attempt: use it to ignore repetitions'],
  ['webhook-timestamp', 'Seconds since 1970 of this attempt; refuse what is more than 5 minutes away'],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`; several, separated by spaces, while a secret is replaced',
  ],
  ['x-whence-delivery-id', 'Id of the delivery, for `GET /webhooks/deliveries/{id}`'],
]

export function webhooksOf(events: readonly PublishedEvent[], book: SchemaBook): JsonObject {
  return Object.fromEntries(events.map((event) => [event.type, { post: operation(event, book) }]))
}

function operation(event: PublishedEvent, book: SchemaBook): JsonObject {
  const envelope = z.object({
    id: z.string().describe('The same as the header webhook-id'),
    type: z.literal(event.type),
    occurred_at: z.iso.datetime(),
    provider: z.string(),
    app_id: z.uuid().optional(),
    connection_id: z.uuid().nullable(),
    data: event.data,
  })
  const name = pascal(event.type.replaceAll('.', '_'))
  const example = valueFor(
    '',
    z.toJSONSchema(envelope, { io: 'output', unrepresentable: 'any' }) as never,
    'all',
  )
  return {
    operationId: `on${name}`,
    summary: event.type,
    description: [event.when, ...receiversOf(event)].join(' '),
    tags: ['webhooks'],
    security: [],
    parameters: headers.map(([header, description]) => ({
      name: header,
      in: 'header',
      required: true,
      schema: { type: 'string' },
      description,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: book.toNamed(envelope, 'output', `${name}Event`), example } },
    },
    responses: {
      '2XX': { description: 'Received' },
      '410': { description: 'Gone: the subscription ends' },
      default: { description: 'Retried' },
    },
  }
}

function receiversOf({ type, providers }: PublishedEvent): string[] {
  if (providers.length === 0) return []
  return [`Sent to subscriptions that name \`${type}\` and ${providerWords(providers)}.`]
}

function providerWords(providers: readonly string[]): string {
  return `the provider ${providers.map((provider) => `\`${provider}\``).join(', ')}`.replace(
    /, (?=[^,]+$)/,
    ' or ',
  )
}
