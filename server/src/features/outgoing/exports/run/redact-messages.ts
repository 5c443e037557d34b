/** A platform may repeat in its refusal what it was reported: nothing of that is kept. Pure. */
import type { ExportConversion } from '../../../../connectors/connector.ts'

/** Shorter ones would take letters out of every word. */
const MIN_LENGTH = 4

function valuesOf({ person, clicks, sourceUrl, orderId }: ExportConversion): string[] {
  const { emails, phones, externalIds, leadId, browserId, ip, userAgent } = person
  const single = [leadId, browserId, ip, userAgent, sourceUrl, orderId]
  return [
    ...emails,
    ...phones,
    ...phones.map((phone) => phone.replace(/\D/g, '')),
    ...externalIds,
    ...clicks.map((click) => click.id),
    ...single.filter((value) => value !== null),
  ]
}

/** Takes every value of the conversions out of messages; the same message is looked through once. */
export function createSilencer(conversions: () => readonly ExportConversion[]): (message: string) => string {
  let values: string[] | undefined
  const known = new Map<string, string>()
  return (message) => {
    const before = known.get(message)
    if (before !== undefined) return before
    values ??= [...new Set(conversions().flatMap(valuesOf))]
      .filter((value) => value.length >= MIN_LENGTH)
      .toSorted((a, b) => b.length - a.length)
    let left = message
    for (const value of values) if (left.includes(value)) left = left.replaceAll(value, '…')
    known.set(message, left)
    return left
  }
}
