/** Nothing the tracker does may break the page it is on. */
export function guarded<T extends unknown[]>(action: (...args: T) => void): (...args: T) => void {
  return (...args) => {
    try {
      action(...args)
    } catch (error) {
      console.warn('whence:', error)
    }
  }
}
