/**
 * A map for what can be found again: when it is full it forgets everything. Nothing is kept in order of use,
 * which would cost every read a write, and taking out the oldest one by one makes V8 walk over what it deleted.
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

  /** The remembered value, or the one that is made now. */
  recall(key: Key, make: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined || this.has(key)) return known as Value
    const value = make()
    this.set(key, value)
    return value
  }
}
