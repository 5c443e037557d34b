/** Why an event is not counted: by revenue type the event counted instead, or unconfirmed browser money. */
export type Exclusion = { duplicateOf: ReadonlyMap<string, string>; unconfirmed: boolean }

export const noExclusion: Exclusion = { duplicateOf: new Map(), unconfirmed: false }
