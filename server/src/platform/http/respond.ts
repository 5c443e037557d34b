/** Handles a request after its body is read, and sends the response. */
import type { AnyContext, ProfileContext, Service } from '../../context.ts'
import { traced } from '../tracing.ts'
import { answer } from './answer.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import type { FileGate } from './file-gate.ts'
import { recordRefusal } from './refuse.ts'
import type { Route } from './route.ts'
import { cutSlowReader, whenClosed } from './unsent-answers.ts'

/** Rejects with the error, which the caller sends. */
export async function respond(
  service: Service,
  route: Route,
  request: Incoming,
  reply: Outgoing,
  files: FileGate,
): Promise<void> {
  const { entry } = route
  // The client hung up while the request waited; no one would read the response.
  if (entry.method === 'GET' && reply.raw.closed) return
  const enterFileGate = (context: AnyContext) => {
    if (entry.holdsFile !== true || !('profile' in context)) return
    const leave = files.enter((context as ProfileContext).profile.workspaceId)
    whenClosed(reply.raw, leave)
  }
  const stored = await traced(
    {
      name: `${entry.method} ${entry.path}`,
      kind: 'server',
      headers: request.headers,
      attributes: () => ({
        'http.request.method': entry.method,
        'http.route': entry.path,
        'whence.request.id': request.id,
      }),
    },
    () => answer(service, route, request, reply, enterFileGate),
  ).catch((error: unknown) => {
    recordRefusal(service, entry, request, error)
    throw error
  })
  if (stored.etag === undefined) reply.header('cache-control', 'no-store')
  else reply.headers({ etag: stored.etag, 'cache-control': 'private, no-cache' })
  reply.code(stored.status)
  const { file } = stored
  if (file !== undefined && 'size' in file) cutSlowReader(reply.raw, file.size)
  if (file !== undefined) {
    reply.type(file.contentType)
    reply.send(file.bytes)
  } else if (stored.body === null) reply.send()
  else {
    reply.type('application/json; charset=utf-8')
    reply.send(stored.body)
  }
}
