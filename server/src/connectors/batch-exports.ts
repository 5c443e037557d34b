/**
 * The facet `exports` for platforms that accept conversions in batches. Limits, refusals and bodies are data; sending a
 * batch and reading which of its events were rejected is platform-specific.
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
  type SendOutcome,
  splitRefused,
  toExportReply,
} from './export-results.ts'

export function batchExports(platform: {
  maxBatch: number
  /** Why a conversion is not sent; null if it is sent. */
  refusalOf: (conversion: ExportConversion, now: Date) => RefusalCode | null
  /** Request bodies for the conversions that pass `refusalOf`. */
  toBodies: (
    account: ExportAccount,
    target: ExportTarget,
    conversions: ExportConversion[],
  ) => Record<string, unknown>[]
  send: (session: Session, target: ExportTarget, conversions: ExportConversion[]) => Promise<SendOutcome>
  whenAccepted?: (target: ExportTarget) => 'processing' | 'success'
}) {
  const split = (conversions: ExportConversion[], now: Date) =>
    splitRefused(
      conversions,
      (conversion) => platform.refusalOf(conversion, now),
      (conversion) => conversion,
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
      return toExportReply(conversions, refused, sent, platform.whenAccepted?.(target) ?? 'success')
    },
  }
}
