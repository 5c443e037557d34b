export {
  type Arguments,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  newIdempotencyKey,
  type Page,
  urlOf,
} from './client.ts'
export * from './errors.ts'
export * from './generated/operations.ts'
export type * from './generated/types.ts'
export * from './generated/values.ts'
export type { DataOf, InputOf, Operation, RawBody } from './operation.ts'
export { verifyWebhook, WebhookVerificationError } from './webhooks.ts'
