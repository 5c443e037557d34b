/**
 * Reads a JSON body and refuses at the edge what no part of the service could keep faithfully:
 * NUL characters, lone surrogates, numbers beyond 15 significant digits, nesting beyond 32.
 */
const MAX_DEPTH = 32
const MAX_DIGITS = 15

export type JsonReading = { ok: true; value: unknown } | { ok: false; message: string }

const decoder = new TextDecoder('utf-8', { fatal: true })

export function readJson(bytes: Uint8Array): JsonReading {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return refuse('The body is not valid UTF-8.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('The body is not valid JSON.')
  }
  const shape = checkShape(text, text.includes('\\'))
  if (shape !== null) return refuse(shape)
  // Only an escape can bring a NUL, a surrogate or a reserved key past the decoder.
  if (text.includes('\\u') || text.includes('__proto__')) {
    const problem = checkStrings(value)
    if (problem !== null) return refuse(problem)
  }
  return { ok: true, value }
}

function refuse(message: string): JsonReading {
  return { ok: false, message }
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_OBJECT = 123
const OPEN_ARRAY = 91
const CLOSE_OBJECT = 125
const CLOSE_ARRAY = 93

/** One pass over valid JSON outside its strings: depth, and the length of number literals. */
function checkShape(text: string, hasEscapes: boolean): string | null {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      i = hasEscapes ? endOfString(text, i) : text.indexOf('"', i + 1)
      if (i < 0) return null
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (++depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels.`
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      depth--
    } else if ((c >= 48 && c <= 57) || c === 45) {
      let end = i + 1
      while (end < text.length && isNumberPart(text.charCodeAt(end))) end++
      const problem = checkNumber(text.slice(i, end))
      if (problem !== null) return problem
      i = end - 1
    }
  }
  return null
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === BACKSLASH) i++
    else if (c === QUOTE) return i
  }
  return text.length
}

function isNumberPart(c: number): boolean {
  return (c >= 48 && c <= 57) || c === 46 || c === 43 || c === 45 || c === 101 || c === 69
}

function checkNumber(literal: string): string | null {
  if (literal.length <= MAX_DIGITS) {
    if (!/e/i.test(literal) || Number.isFinite(Number(literal))) return null
    return `The number ${literal} is out of range.`
  }
  const mantissa = literal.replace(/e.*$/i, '')
  const digits = mantissa
    .replace(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(mantissa.includes('.') ? /0+$/ : /$^/, '')
  if (digits.length > MAX_DIGITS)
    return `The number ${literal.slice(0, 40)} has more than ${MAX_DIGITS} significant digits; send it as a string or round it.`
  return Number.isFinite(Number(literal)) ? null : `The number ${literal.slice(0, 40)} is out of range.`
}

function checkStrings(value: unknown): string | null {
  if (typeof value === 'string') return checkText(value)
  if (Array.isArray(value)) {
    for (const item of value) {
      const problem = checkStrings(item)
      if (problem !== null) return problem
    }
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'The field name __proto__ is not allowed.'
    const problem = checkText(key) ?? checkStrings((value as Record<string, unknown>)[key])
    if (problem !== null) return problem
  }
  return null
}

/** Also used for query and path values. */
export function checkText(text: string): string | null {
  if (text.includes('\0')) return 'A text holds a NUL character.'
  if (!text.isWellFormed()) return 'A text holds half of a surrogate pair.'
  return null
}
