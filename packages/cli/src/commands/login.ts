import { readFile } from 'node:fs/promises'
import { createClient, isApiError, unwrap } from '@panel/client'
import { type Call, CommandError, exitCodes, step, UsageError } from '../context.ts'
import { forgetCredentials, keepCredentials, panelUrl, readCredentials } from '../credentials.ts'
import { readSecret } from '../secret-input.ts'
import { timedFetch } from '../timed-fetch.ts'

export async function login(call: Call): Promise<void> {
  const { options, env, signal } = call
  const url = panelUrl(String(options.url ?? env.PANEL_URL ?? (await keptUrl(call))), env)
  const file = options['token-file']
  const given = typeof file === 'string' ? await readFile(file, 'utf8') : await readSecret(call, 'API token')
  const token = given.trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('Pass only the API token on standard input')
  const client = createClient({ baseUrl: url, token, fetch: timedFetch(signal) })
  const user = await unwrap(client.GET('/api/auth/me')).catch((error: unknown) => {
    if (isApiError(error, 'UNAUTHENTICATED', 'ACCOUNT_SUSPENDED'))
      throw new CommandError(`The panel rejected this token: ${error.message}`, exitCodes.notSignedIn)
    throw error
  })
  const path = await keepCredentials(env, { url, token })
  step(call, `Stored the token in ${path}`)
  call.print({ url, user }, `Signed in to ${url} as ${user.email}\n`)
}

async function keptUrl({ env }: Call): Promise<string> {
  const kept = await readCredentials(env).catch(() => undefined)
  if (!kept) throw new UsageError('Specify the panel: --url https://panel.example.com')
  return kept.url
}

export async function logout(call: Call): Promise<void> {
  await forgetCredentials(call.env)
  call.print(
    { signedIn: false },
    'Removed the token from this machine. It stays valid until you revoke it in the dashboard\n'
  )
}
