/** The attribution models, for whoever knows only the contracts. */
export { type Model, models } from '@whence/engine'
