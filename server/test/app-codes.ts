/** Codes of an authenticator app, computed by an independent implementation. */
import { generateSync } from 'otplib'
import type { TestApp } from './app.ts'

/** `step` counts from now; each step's code works once. */
export const appCode = ({ service }: TestApp, secret: string, step: number): string =>
  generateSync({ secret, epoch: Math.floor(service.clock.machineNow().getTime() / 1000) + 30 * step })
