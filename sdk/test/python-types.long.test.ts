/** A type checker reads the Python client as its users do. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { outsideIt, runOutside } from '../../server/test/outside/outside.ts'

const folder = fileURLToPath(new URL('../../sdk-python/', import.meta.url))
const pyright = (files: readonly string[], cwd: string) =>
  runOutside('pyright/index.js', ['--pythonversion', '3.11', ...files], cwd)

const wrong = `from whence import Client, verify_webhook
client = Client("", token="")
report = client.list_campaigns(date_from="2026-01-01", date_to="2026-01-31", model="last_tuch")
print(report["data"][0]["spendd"])
client.send_event({"event": "lead_created"})
client.list_payments(frm="2026-01-01")
event = verify_webhook(b"", {}, "")
if event["type"] == "conversion.credited":
    print(event["data"]["conversion"])
`

outsideIt(
  'package, tests and examples of the README have no type errors, and wrong calls have',
  { timeout: 240_000 },
  async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'whence-python-'))
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }))
    const examples = [...readFileSync(`${folder}README.md`, 'utf8').matchAll(/```python\n([\s\S]*?)```/g)]
    const files = examples.map(([, code], at) => {
      writeFileSync(join(scratch, `example_${at}.py`), code!)
      return `example_${at}.py`
    })
    writeFileSync(join(scratch, 'wrong.py'), wrong)
    writeFileSync(join(scratch, 'pyrightconfig.json'), JSON.stringify({ extraPaths: [folder] }))
    await pyright(['whence', 'tests'], folder)
    await pyright(files, scratch)
    const error = (await pyright(['wrong.py'], scratch).catch((cause: unknown) => cause)) as Error
    const lines = [...error.message.matchAll(/wrong\.py:(\d+):\d+ - error/g)].map(([, line]) => Number(line))
    expect([...new Set(lines)]).toEqual([3, 4, 5, 6, 9])
  },
)
