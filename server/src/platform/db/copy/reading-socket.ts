/**
 * A connection to the database that reads into one buffer of its own. Node makes a new one of 64 KB for each read,
 * whatever came, and a long COPY then keeps the garbage collector busy.
 */
import { Socket } from 'node:net'

const BUFFER_BYTES = 64 * 1024

export class ReadingSocket extends Socket {
  /** Takes what comes in the place of the driver; the bytes are valid until it returns. */
  taker: ((bytes: Buffer) => void) | undefined

  constructor() {
    const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
    // Documented for `connect`, which passes it on to this constructor; the driver connects a socket that it is given.
    super({
      onread: {
        buffer,
        callback: (length: number) => {
          const bytes = buffer.subarray(0, length)
          if (this.taker === undefined) this.emit('data', Buffer.from(bytes))
          else this.taker(bytes)
          return true
        },
      },
    } as ConstructorParameters<typeof Socket>[0])
  }
}
