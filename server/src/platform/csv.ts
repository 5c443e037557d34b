/** CSV parser (RFC 4180): quoted fields may contain commas, quotes and line breaks. */

/** Rows of fields; undefined if a quote is not closed. */
export function parseCsv(text: string): string[][] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      for (at += 1; ; at += 2) {
        const end = text.indexOf('"', at)
        if (end === -1) return undefined
        field += text.slice(at, end)
        at = end
        if (text[at + 1] !== '"') break
        field += '"'
      }
      at += 1
    }
    const end = nextBreak(text, at)
    field += text.slice(at, end)
    row.push(field)
    at = end
    if (text[at] === ',') {
      at += 1
      if (at < text.length) continue
      row.push('')
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}

function nextBreak(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at += 1
  return at
}
