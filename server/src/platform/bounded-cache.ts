/**
 * A cache that is cleared when full. LRU order would cost a write per read, and deleting the oldest entries one by
 * one makes V8 iterate over deleted slots.
 */
export class BoundedCache<Key, Value> extends Map<Key, Value> {
  readonly max: number

  constructor(max: number) {
    super()
    this.max = max
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.max && !this.has(key)) this.clear()
    return super.set(key, value)
  }

  /** The cached value, or a newly computed one. */
  recall(key: Key, make: () => Value): Value {
    const cached = this.get(key)
    if (cached !== undefined || this.has(key)) return cached as Value
    const value = make()
    this.set(key, value)
    return value
  }
}
