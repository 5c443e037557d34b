import { createServer, connect as openSocket, type Server, type Socket } from 'node:net'

/** A TCP proxy between the service and its database that can interrupt the connection in two ways. */
export class Wire {
  private readonly open = new Set<Socket>()
  private server: Server | undefined
  private stalled = false
  private port = 0
  private readonly target: { path: string } | { host: string; port: number }

  constructor(target: Wire['target']) {
    this.target = target
  }

  /** Listens, always on the same port. */
  async up(): Promise<number> {
    this.stalled = false
    const server = createServer((inward) => {
      const outward = openSocket(this.target as { path: string })
      for (const socket of [inward, outward]) {
        this.open.add(socket)
        socket.on('error', () => socket.destroy())
        socket.on('close', () => this.open.delete(socket))
      }
      inward.on('data', (bytes) => void (this.stalled || outward.write(bytes)))
      outward.on('data', (bytes) => void (this.stalled || inward.write(bytes)))
      inward.on('close', () => outward.destroy())
      outward.on('close', () => inward.destroy())
    })
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done))
    this.server = server
    this.port = (server.address() as { port: number }).port
    return this.port
  }

  /** Closes connections and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((done) => this.server?.close(done))
    for (const socket of this.open) socket.destroy()
    await closed
  }

  /** Keeps connections open but forwards no data. */
  stall(): void {
    this.stalled = true
  }
}
