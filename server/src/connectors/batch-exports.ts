/**
 * The facet `exports` of platforms that take conversions in batches. Limits, refusals and bodies are data; how a batch is
 * sent, and how the answer names the bad events of it, is the platform's own.
 */
import type {
  ExportAccount,
  ExportConversion,
  ExportPreview,
  ExportReply,
  ExportTarget,
  Session,
} from './connector.ts'
import {
  assertBatch,
  nothingSent,
  type RefusalCode,
  replyOf,
  type Sent,
  splitRefused,
} from './export-results.ts'

export function batchExports(platform: {
  maxBatch: number
  /** Why a conversion is not sent at all; null where it is. */
  refusalOf: (conversion: ExportConversion, now: Date) => RefusalCode | null
  /** Those that would be sent. */
  toBodies: (
    account: ExportAccount,
    target: ExportTarget,
    conversions: ExportConversion[],
  ) => Record<string, unknown>[]
  send: (session: Session, target: ExportTarget, conversions: ExportConversion[]) => Promise<Sent>
  whenAccepted?: (target: ExportTarget) => 'processing' | 'success'
}) {
  const split = (conversions: ExportConversion[], now: Date) =>
    splitRefused(
      conversions,
      (one) => platform.refusalOf(one, now),
      (one) => one,
    )
  return {
    preview(
      account: ExportAccount,
      target: ExportTarget,
      conversions: ExportConversion[],
      now: Date,
    ): ExportPreview {
      const { sendable, refused } = split(conversions, now)
      return { bodies: sendable.length === 0 ? [] : platform.toBodies(account, target, sendable), refused }
    },
    async send(
      session: Session,
      target: ExportTarget,
      conversions: ExportConversion[],
      now: Date,
    ): Promise<ExportReply> {
      assertBatch(conversions, platform.maxBatch)
      const { sendable, refused } = split(conversions, now)
      const sent = sendable.length === 0 ? nothingSent : await platform.send(session, target, sendable)
      return replyOf(conversions, refused, sent, platform.whenAccepted?.(target) ?? 'success')
    },
  }
}
