export type CsvRecord = { number: number; fields: string[] }

/** Detects the separator: comma, semicolon (some spreadsheets) or tab (copied cells). */
export function parseTable(text: string): CsvRecord[] {
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const separator = ['\t', ';'].find((char) => head.split(char).length > head.split(',').length) ?? ','
  return parseCsv(text, separator)
}

/** Quoted fields may contain separators, quotes and line ends; empty lines are skipped. */
export function parseCsv(text: string, separator = ','): CsvRecord[] {
  const records: CsvRecord[] = []
  let [fields, field, quoted, line, start] = [[] as string[], '', false, 1, 1]
  const endRecord = () => {
    fields.push(field)
    if (fields.some((value) => value.trim() !== '')) records.push({ number: start, fields })
    ;[fields, field, start] = [[], '', line + 1]
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quoted) {
      if (char === '"' && text[at + 1] === '"') {
        field += '"'
        at++
      } else if (char === '"') quoted = false
      else field += char
      if (char === '\n') line++
    } else if (char === '"' && field === '') quoted = true
    else if (char === separator) {
      fields.push(field)
      field = ''
    } else if (char === '\n') {
      endRecord()
      line++
    } else if (char !== '\r' && char !== '\uFEFF') field += char
  }
  endRecord()
  return records
}
