/** JSON for people and for diffs: whatever fits on a line stands on one line, and a step in is one space. Lines of 160 characters would make openapi.json a fourteenth longer. */
const LINE = 500

export function writeJson(value: unknown, indent = ''): string {
  const short = oneLine(value)
  if (indent.length + short.length <= LINE || typeof value !== 'object' || value === null) return short
  const inner = `${indent} `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${writeJson(item, inner)}`)
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${writeJson(member, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => oneLine(item ?? null)).join(', ')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
