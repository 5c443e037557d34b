/**
 * JSON formatted for diffs: values that fit are on one line without spaces; indentation is one space. Lines of 160
 * characters would make openapi.json a seventh longer, spaces between members another fourteenth.
 */
const LINE = 1000

export function writeJson(value: unknown, indent = ''): string {
  const compact = JSON.stringify(value)
  if (indent.length + compact.length <= LINE || typeof value !== 'object' || value === null) return compact
  const inner = `${indent} `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${writeJson(item, inner)}`)
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${writeJson(member, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
