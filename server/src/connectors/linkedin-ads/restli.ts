/** Query syntax of Rest.li 2.0.0: `(`, `)`, `,` and `:` are structure unless they are percent-encoded. */

const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export const listOf = (values: readonly string[]): string => `List(${values.map(encode).join(',')})`

/** The values must already be encoded. */
export const recordOf = (fields: Readonly<Record<string, string>>): string =>
  `(${Object.entries(fields)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')})`

export const textOf = encode

type Kind =
  | 'sponsoredAccount'
  | 'sponsoredCampaignGroup'
  | 'sponsoredCampaign'
  | 'sponsoredCreative'
  | 'leadGenFormResponse'

export const urn = (kind: Kind, id: string): string => `urn:li:${kind}:${id}`

/** The id in a URN of this kind; null for any other text. */
export function idIn(text: string | null | undefined, kind: string): string | null {
  const [, urnKind, id] = /^urn:li:(\w+):([\w-]+)$/.exec(text ?? '') ?? []
  return urnKind === kind ? id! : null
}

/** A day in the format of the reporting API. */
export function dayRecord(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return recordOf({ year, month: String(Number(month)), day: String(Number(date)) })
}
