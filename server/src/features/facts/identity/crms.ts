/** A CRM is where a business keeps its people; every other provider's id is just its own name for one. */
const crms = new Set(['crmsuite', 'hubspot'])

export const isCrm = (provider: string | null): boolean => provider !== null && crms.has(provider)
