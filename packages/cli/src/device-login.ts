import { hostname, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, isApiError, type Schema, unwrap } from '@panel/client'
import { openInBrowser } from './browser.ts'
import { type Call, CommandError, exitCodes, program, step, UsageError } from './context.ts'
import { timedFetch } from './timed-fetch.ts'
import { withRetries } from './with-retries.ts'

const scopes = ['read', 'deploy', 'full'] as const

/** Shows a code, and waits until it is confirmed in the browser (RFC 8628). */
export async function tokenForCode(call: Call, url: string): Promise<string> {
  const client = createClient({ baseUrl: url, fetch: timedFetch(call.signal) })
  const body = { name: `panel on ${hostname()} (${userName()})`.slice(0, 100), scope: scopeIn(call.options.scope) }
  const started = await unwrap(client.POST('/api/auth/device', { body }))
  // The panel that was named, whatever its answer says.
  const page = `${url}/device?code=${encodeURIComponent(started.userCode)}`
  step(call, `Your code is ${started.userCode}`)
  step(call, `Confirm it at ${page}`)
  openInBrowser(call, page)
  const deadline = Date.now() + started.expiresInSeconds * 1000
  const { deviceCode } = started
  while (Date.now() < deadline) {
    await sleep(started.intervalSeconds * 1000, undefined, { signal: call.signal })
    const answer = await withRetries(call.signal, () =>
      unwrap(client.POST('/api/auth/device/token', { body: { deviceCode } }))
    ).catch((error: unknown) => {
      if (isApiError(error, 'RATE_LIMITED')) return undefined
      if (isApiError(error, 'FORBIDDEN', 'LINK_INVALID')) throw new CommandError(error.message, exitCodes.notSignedIn)
      throw error
    })
    if (answer?.token) return answer.token.token
  }
  throw new CommandError(`The code has expired. Run ${program} login again`, exitCodes.notSignedIn)
}

function scopeIn(given: string | boolean | undefined): Schema<'ApiToken'>['scope'] {
  const found = scopes.find((scope) => scope === (given ?? 'full'))
  if (!found) throw new UsageError('--scope must be read, deploy or full')
  return found
}

/** Fails for users without an entry in the password file. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}
