/**
 * Parses queries as Rest.li 2.0.0 does: the structure is parsed before values are decoded, so an encoded parenthesis or
 * colon is text (linkedin.github.io/rest.li/spec/protocol#uris, read 2026-11-17).
 */
export type Value = string | Value[] | { [name: string]: Value }

const bare = /[(),:']/

function decode(text: string): string {
  if (bare.test(text)) throw new SyntaxError('Unencoded structure character in a value')
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** Splits at commas outside parentheses. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const [index, letter] of [...text].entries()) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (depth < 0) throw new SyntaxError('Unmatched closing parenthesis')
    if (letter !== ',' || depth > 0) continue
    parts.push(text.slice(start, index))
    start = index + 1
  }
  if (depth > 0) throw new SyntaxError('Unclosed parenthesis')
  return text === '' ? [] : [...parts, text.slice(start)]
}

function readValue(text: string): Value {
  const list = /^List\((.*)\)$/.exec(text)
  if (list) return partsOf(list[1]!).map(readValue)
  const record = /^\((.*)\)$/.exec(text)
  if (!record) return decode(text)
  return Object.fromEntries(
    partsOf(record[1]!).map((part) => {
      const at = part.indexOf(':')
      if (at < 1) throw new SyntaxError('Member without a name')
      return [decode(part.slice(0, at)), readValue(part.slice(at + 1))]
    }),
  )
}

/** Null for invalid syntax. `fields` is a projection, which is not parsed. */
export function readQuery(raw: string): Record<string, Value> | null {
  try {
    return Object.fromEntries(
      raw
        .split('&')
        .filter(Boolean)
        .map((pair) => {
          const at = pair.indexOf('=')
          const [name, text] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
          return [decodeURIComponent(name), name === 'fields' ? decodeURIComponent(text) : readValue(text)]
        }),
    )
  } catch {
    return null
  }
}

export const textsIn = (value: Value | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

export function memberOf(value: Value | undefined, ...path: string[]): Value | undefined {
  return path.reduce<Value | undefined>(
    (inner, name) =>
      typeof inner === 'object' && !Array.isArray(inner) && Object.hasOwn(inner, name)
        ? inner[name]
        : undefined,
    value,
  )
}
