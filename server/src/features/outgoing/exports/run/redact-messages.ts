/** Platforms may repeat submitted values in their error messages; these are redacted before messages are stored. Pure. */
import type { ExportConversion } from '../../../../connectors/connector.ts'

/** Redacting shorter values would remove letters from ordinary words. */
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

/** Redacts every value of the conversions from messages; results are cached by message. */
export function createRedactor(conversions: () => readonly ExportConversion[]): (message: string) => string {
  let values: string[] | undefined
  const cache = new Map<string, string>()
  return (message) => {
    const cached = cache.get(message)
    if (cached !== undefined) return cached
    values ??= [...new Set(conversions().flatMap(valuesOf))]
      .filter((value) => value.length >= MIN_LENGTH)
      .toSorted((a, b) => b.length - a.length)
    let redacted = message
    for (const value of values) if (redacted.includes(value)) redacted = redacted.replaceAll(value, '…')
    cache.set(message, redacted)
    return redacted
  }
}
