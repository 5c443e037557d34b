/** What keeps an event's money from counting: by revenue type the event that counts in its place, or no one confirmed it. */
export type Exclusion = { duplicateOf: ReadonlyMap<string, string>; unconfirmed: boolean }

export const counted: Exclusion = { duplicateOf: new Map(), unconfirmed: false }
