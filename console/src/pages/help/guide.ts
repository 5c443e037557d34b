/** Parses the repository's guide (docs/console.md) into the blocks that the page renders. */
export type Block =
  | { kind: 'heading'; level: 2 | 3; text: string; id: string }
  | { kind: 'text'; text: string }

/** Heading anchor as GitHub builds it. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}

export function readGuide(markdown: string): Block[] {
  return markdown
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('# '))
    .map((part) => {
      const [, marks, text] = /^(##|###) (.+)$/.exec(part) ?? []
      if (marks === undefined || text === undefined) return { kind: 'text', text: part }
      return { kind: 'heading', level: marks.length as 2 | 3, text, id: slug(text) }
    })
}

export type Run = { text: string; as: 'plain' | 'strong' | 'code' }

/** Splits text into bold, code and plain. Links to other files keep only their text, because those files are not served. */
export function readRuns(text: string): Run[] {
  return text
    .replaceAll(/\[([^[\]]+)\]\([^()]+\)/g, '$1')
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('**')) return { text: part.slice(2, -2), as: 'strong' }
      return part.startsWith('`') ? { text: part.slice(1, -1), as: 'code' } : { text: part, as: 'plain' }
    })
}
