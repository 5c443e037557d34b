/**
 * A database socket that reads into one reused buffer. By default Node allocates 64 KB per read, whatever the size
 * of the data, and a long COPY then keeps the garbage collector busy.
 */
import { Socket } from 'node:net'

const BUFFER_BYTES = 64 * 1024

export class ReadingSocket extends Socket {
  /** Receives the bytes instead of the driver; they are valid until it returns. */
  onBytes: ((bytes: Buffer) => void) | undefined

  constructor() {
    const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
    // `onread` is documented for `connect`, which passes it to this constructor; the driver calls `connect` on an
    // existing socket.
    super({
      onread: {
        buffer,
        callback: (length: number) => {
          const bytes = buffer.subarray(0, length)
          if (this.onBytes === undefined) this.emit('data', Buffer.from(bytes))
          else this.onBytes(bytes)
          return true
        },
      },
    } as ConstructorParameters<typeof Socket>[0])
  }
}
