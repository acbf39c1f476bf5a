import { pino } from 'pino'
import { buildApp } from './app.ts'
import { parseConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { features } from './features/index.ts'

/**
 * The OpenAPI document as a panel with the defaults serves it, without a panel: routes are only registered, so that of what they would work
 * with nothing is there.
 */
export async function makeApiDocument(): Promise<object> {
  const config = parseConfig({ SESSION_SECRET: 'a'.repeat(31) + 'b' + 'c'.repeat(32), LOG_LEVEL: 'silent' })
  // Timers of the application may fire before it is closed.
  const deps = { config, features, logger: pino({ level: 'silent' }), now: () => new Date() }
  const app = await buildApp(deps as unknown as Dependencies)
  try {
    return (await app.inject('/api/openapi.json')).json<object>()
  } finally {
    await app.close()
  }
}
