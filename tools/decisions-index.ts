/** Generates docs/decisions/README.md: every record with its date and status. */
import { readdir, readFile } from 'node:fs/promises'

export async function decisionsIndex(folder: URL): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.md$/.test(name)).sort()
  const rows = await Promise.all(
    names.map(async (name) => toRow(name, await readFile(new URL(name, folder), 'utf8'))),
  )
  return [
    '# Decisions',
    '',
    'What was chosen where nothing else decides, and why. One record per subject, a page and a half (1,000 words) at most; the line under its title is its date and status (accepted, or superseded by another) and the earlier records that it replaces. A later decision on the same subject changes its record. Figures are in [bench/RESULTS.md](../../bench/RESULTS.md). This index is generated: `npm run generate`.',
    '',
    '| Record | Decision | Date | Status |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function toRow(name: string, text: string): string {
  const title = /^# (?:\d{4}:? )?(.+)$/m.exec(text)?.[1]
  const [, date, status] = /^\*(\d{4}-\d\d-\d\d) · (.+)\*$/m.exec(text) ?? []
  if (title === undefined || date === undefined)
    throw new Error(`docs/decisions/${name} needs a title and, under it, *2026-11-16 · accepted*`)
  return `| [${name.slice(0, 4)}](${name}) | ${title.replaceAll('|', '\\|')} | ${date} | ${status} |`
}
