/** Providers that are CRMs. Their contact ids are stronger identifiers than the customer ids of other providers. */
const crms = new Set(['crmsuite', 'hubspot'])

export const isCrm = (provider: string | null): boolean => provider !== null && crms.has(provider)
