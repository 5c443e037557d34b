/** The official conformance package against /mcp. It sends no credential, so a proxy adds one. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestProfile } from '../make.ts'
import { outsideIt, runOutside } from './outside.ts'

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['mcp:read', 'campaigns:read'])
})
afterAll(() => profile.app.close())

/** Scenarios that need no tools, prompts or resources of the test's own server. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

outsideIt('passes the scenarios for a server with its own tools', { timeout: 180_000 }, async () => {
  const { host } = new URL(profile.app.baseUrl)
  const front = createServer((incoming, outgoing) => {
    // Replaces the proxy's own address by the service's; keeps any other Host or Origin.
    const frontHost = `127.0.0.1:${(front.address() as AddressInfo).port}`
    const headers: typeof incoming.headers = {
      ...incoming.headers,
      host: incoming.headers.host?.replace(frontHost, host),
      authorization: `Bearer ${profile.key}`,
    }
    if (headers.origin !== undefined) headers.origin = headers.origin.replace(frontHost, host)
    const forwarded = request(
      `${profile.app.baseUrl}${incoming.url}`,
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`
    for (const scenario of scenarios) {
      const { stdout } = await runOutside('@modelcontextprotocol/conformance/dist/index.js', [
        'server',
        '--url',
        url,
        '--scenario',
        scenario,
      ])
      expect(stdout, scenario).toMatch(/[1-9]\d*\/\d+, 0 failed|[1-9]\d* passed, 0 failed/)
    }
  } finally {
    front.closeAllConnections()
    front.close()
  }
})
