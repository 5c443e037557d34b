/** The `webhooks` of openapi.json: the events that the service sends, and the responses that it expects. */
import { z } from 'zod'
import { valueFor } from '../contract/examples.ts'
import { pascal } from './openapi-errors.ts'
import type { JsonObject, SchemaBook } from './openapi-schemas.ts'

export type PublishedEvent = {
  type: string
  /** When the event is sent, as a sentence. */
  when: string
  /** Schema of `data`. */
  data: z.ZodType
  /** Providers that a subscription must list to receive it; empty if it needs no subscription. */
  providers: readonly string[]
  /** It may be recorded long after it happened. */
  mayBeHistorical?: boolean
}

const headers: readonly [name: string, text: string][] = [
  ['webhook-id', 'Id of the event, the same for every attempt: use it to ignore duplicates'],
  [
    'webhook-timestamp',
    'Unix time of this attempt in seconds; reject deliveries that differ by more than 5 minutes',
  ],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`; several, separated by spaces, during secret rotation',
  ],
  ['x-whence-delivery-id', 'Id of the delivery, for `GET /webhooks/deliveries/{id}`'],
]

const historical = z
  .literal(true)
  .optional()
  .describe('Present if it happened more than two days before it was recorded')

export function webhooksOf(events: readonly PublishedEvent[], book: SchemaBook): JsonObject {
  return Object.fromEntries(events.map((event) => [event.type, { post: operation(event, book) }]))
}

function operation(event: PublishedEvent, book: SchemaBook): JsonObject {
  const envelope = z.object({
    id: z.string().describe('The same as the header webhook-id'),
    type: z.literal(event.type).describe('Type of the event'),
    occurred_at: z.iso.datetime().describe('When it happened'),
    provider: z.string().describe('Provider of the account, or `platform` for events of the service itself'),
    app_id: z.uuid().optional().describe('Id of the partner app that the event concerns'),
    connection_id: z.uuid().nullable().describe('Id of the connection; null if there is none'),
    ...(event.mayBeHistorical ? { historical } : {}),
    data: event.data.describe('Payload of the event'),
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
      '410': { description: 'Gone: ends the subscription' },
      default: { description: 'Retried' },
    },
  }
}

function receiversOf({ type, providers }: PublishedEvent): string[] {
  if (providers.length === 0) return []
  return [`Sent to subscriptions that list \`${type}\` and ${providerWords(providers)}.`]
}

function providerWords(providers: readonly string[]): string {
  return `the provider ${providers.map((provider) => `\`${provider}\``).join(', ')}`.replace(
    /, (?=[^,]+$)/,
    ' or ',
  )
}
