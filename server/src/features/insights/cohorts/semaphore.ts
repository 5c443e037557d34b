/** A counting semaphore that bounds the memory of concurrent reports; it rejects immediately instead of waiting. */
export class Semaphore {
  private taken = 0
  private readonly most: number

  constructor(capacity: number) {
    this.most = capacity
  }

  /** Undefined if `count` more permits are not available. */
  async hold<T>(count: number, work: () => Promise<T>): Promise<T | undefined> {
    if (this.taken + count > this.most) return undefined
    this.taken += count
    try {
      return await work()
    } finally {
      this.taken -= count
    }
  }
}
