/** The attribution models, for code that imports only contracts. */
export { type Model, models } from '@whence/engine'
