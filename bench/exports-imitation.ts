/** Minimal imitation of the short-video platform: counts the events and accepts all of them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const MARK = Buffer.from('"event_id":')
const ANSWER = JSON.stringify({ code: 0, message: 'OK', request_id: 'r', data: {} })
let events = 0

const server = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    for (let at = body.indexOf(MARK); at >= 0; at = body.indexOf(MARK, at + MARK.length)) events += 1
    reply.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
  })
})
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('message', (command) => {
  if (command === 'reset') events = 0
  else process.send!({ events })
})
process.on('disconnect', () => process.exit(0))
