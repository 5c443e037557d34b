import { createServer, connect as openSocket, type Server, type Socket } from 'node:net'

/** Is between the service and its database, and can break the way in two manners. */
export class Wire {
  private readonly open = new Set<Socket>()
  private server: Server | undefined
  private stalled = false
  private port = 0
  private readonly target: { path: string } | { host: string; port: number }

  constructor(target: Wire['target']) {
    this.target = target
  }

  /** The same address every time. */
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

  /** Connections break, new ones are refused. */
  async cut(): Promise<void> {
    const closed = new Promise((done) => this.server?.close(done))
    for (const socket of this.open) socket.destroy()
    await closed
  }

  /** Connections stay, and nothing comes through. */
  stall(): void {
    this.stalled = true
  }
}
