/** docs/decisions/README.md: every record with its date and status, read from the records themselves. */
import { readdir, readFile } from 'node:fs/promises'

export async function decisionsIndex(folder: URL): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.md$/.test(name)).sort()
  const rows = await Promise.all(
    names.map(async (name) => toRow(name, await readFile(new URL(name, folder), 'utf8'))),
  )
  return [
    '# Decisions',
    '',
    'What was chosen where nothing else decides, and why. A record has 30 lines or fewer; under its title stands its date and status (accepted, or superseded by another). Figures are in [bench/RESULTS.md](../../bench/RESULTS.md). This index is generated: `npm run generate`.',
    '',
    '| Record | Decision | Date | Status |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function toRow(name: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const [, date = '', status = 'accepted'] = /^\*(\d{4}-\d\d-\d\d) · (.+)\*$/m.exec(text) ?? []
  return `| [${name.slice(0, 4)}](${name}) | ${title.replaceAll('|', '\\|')} | ${date} | ${status} |`
}
