/** Microsoft's own Graph client, connected to a sandbox. */
import { Client, type Context } from '@microsoft/microsoft-graph-client'
import type { Sandbox } from '@whence/sandbox/sandbox.ts'
import { sandboxFetch } from './sandbox-fetch.ts'

export function graphClient(sandbox: Sandbox, accessToken: () => string): Client {
  const call = sandboxFetch(sandbox)
  return Client.initWithMiddleware({
    baseUrl: `https://whence.test/sandbox/${sandbox.name}/`,
    middleware: {
      async execute(context: Context) {
        const requestUrl = typeof context.request === 'string' ? context.request : context.request.url
        const headers = new Headers(context.options?.headers as Record<string, string>)
        headers.set('authorization', `Bearer ${accessToken()}`)
        const url = requestUrl.replace(`/sandbox/${sandbox.name}`, '')
        context.response = await call(url, { ...(context.options as RequestInit), headers })
      },
    },
  })
}
