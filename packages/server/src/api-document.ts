import { pino } from 'pino'
import { buildApp } from './app.ts'
import { parseConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { features } from './features/index.ts'

/** The OpenAPI document with default settings. Routes are only registered, so most dependencies can be missing. */
export async function makeApiDocument(): Promise<object> {
  const config = parseConfig({ SESSION_SECRET: 'a'.repeat(31) + 'b' + 'c'.repeat(32), LOG_LEVEL: 'silent' })
  const deps = { config, features, logger: pino({ level: 'silent' }), now: () => new Date() }
  const app = await buildApp(deps as unknown as Dependencies)
  try {
    return (await app.inject('/api/openapi.json')).json<object>()
  } finally {
    await app.close()
  }
}
