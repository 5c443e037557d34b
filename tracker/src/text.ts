/** Trims and truncates. The collector rejects NUL and lone surrogates; truncating may split a pair, so they are removed last. */
export function clean(value: unknown, max: number): string {
  return String(value ?? '')
    .trim()
    .slice(0, max)
    .replace(/[\0\p{Cs}]/gu, '')
}

/** A JSON copy; throws on cycles, which the caller reports. */
export function cleanObject(value: unknown): Record<string, unknown> {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return {}
  return JSON.parse(
    JSON.stringify(value, (_key, inner) => {
      if (typeof inner === 'string') return inner.replace(/[\0\p{Cs}]/gu, '')
      // Digits beyond the precision of a double are noise (0.1 + 0.2), and the collector rejects them.
      return typeof inner === 'number' ? Number(inner.toPrecision(15)) : inner
    }),
  )
}

const AUTOMATED =
  /(^|[^u])bot|crawl|spider|slurp|headless|lighthouse|prerender|bingpreview|web preview|externalhit|pagespeed|pingdom/i

/** The letter before "bot" excludes the phones of a brand whose name ends in it. */
export function isAutomatedAgent(userAgent: string): boolean {
  return AUTOMATED.test(userAgent)
}
