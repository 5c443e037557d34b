import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('a typical import is at most 12 KB compressed and includes no other operation', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createClient, listCampaigns, sendEvent, verifyWebhook } from './src/index.ts'
        console.log(createClient, listCampaigns, sendEvent, verifyWebhook)`,
      resolveDir: fileURLToPath(new URL('../', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const text = outputFiles[0]!.text
  expect(gzipSync(text).length).toBeLessThan(12 * 1024)
  expect(text).toContain('/api/v1/campaigns')
  expect(text).not.toContain('/api/v1/goals')
})
