/** Writes one field of a CSV file that people open in a spreadsheet. Pure. */

/** Characters with which a spreadsheet starts a formula; the wide ones of East Asian keyboards included. */
const FORMULA_STARTS = new Set('=+-@\uff1d\uff0b\uff0d\uff20')
/** Where a spreadsheet may start a new cell: in many countries it separates by semicolons, whatever the quotes say. */
const CELL_BREAKS = new Set(';\t\r\n')
const SKIPPED = new Set(' "\u00a0\u3000')

/** Quotes the field. An apostrophe keeps a spreadsheet from running a name as a formula; numbers stay numbers. */
export function csvField(text: string): string {
  const safe = /^-\d+(\.\d+)?$/.test(text) ? text : withoutFormulas(text)
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function withoutFormulas(text: string): string {
  let safe = ''
  let isCellStart = true
  for (const char of text) {
    if (isCellStart && FORMULA_STARTS.has(char)) safe += "'"
    isCellStart = CELL_BREAKS.has(char) || (isCellStart && SKIPPED.has(char))
    safe += char
  }
  return safe
}
