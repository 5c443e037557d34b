/** Room for so many at once, anyone who takes it: what is held in memory by several at a time has one bound. */
export class Room {
  private taken = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** Undefined where there is no room for so many next to the others. */
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
