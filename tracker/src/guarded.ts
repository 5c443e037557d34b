/** Catches errors, because the tracker must not break the page. */
export function guarded<T extends unknown[]>(action: (...args: T) => void): (...args: T) => void {
  return (...args) => {
    try {
      action(...args)
    } catch (error) {
      console.warn('whence:', error)
    }
  }
}
