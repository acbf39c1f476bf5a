import { readFile } from 'node:fs/promises'
import { createClient, isApiError, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { type Call, CommandError, exitCodes, step, UsageError } from '../context.ts'
import { forgetCredentials, keepCredentials, panelUrl, readCredentials } from '../credentials.ts'
import { readSecret } from '../secret-input.ts'
import { tokenForCode } from '../device-login.ts'
import { timedFetch } from '../timed-fetch.ts'

export const login: Command = {
  name: 'login',
  about: 'sign in: confirm a code in the browser, or pass an API token',
  options: [
    ['--url <url>', 'URL of the panel; default: the one that you last signed in to'],
    ['--scope <scope>', 'what the code allows: read, deploy or full; default: full'],
    ['--token', 'read an API token from standard input; the default without a terminal'],
    ['--token-file <file>', 'file with an API token']
  ],
  example: 'login --url https://panel.example.com',
  async start(call) {
    const { options, env, signal } = call
    const url = panelUrl(String(options.url ?? env.PANEL_URL ?? (await keptUrl(call))), env)
    const token = isForCode(call) ? await tokenForCode(call, url) : await readToken(call, url)
    const client = createClient({ baseUrl: url, token, fetch: timedFetch(signal) })
    const user = await unwrap(client.GET('/api/auth/me')).catch((error: unknown) => {
      if (isApiError(error, 'UNAUTHENTICATED', 'ACCOUNT_SUSPENDED'))
        throw new CommandError(`The panel rejected this token: ${error.message}`, exitCodes.notSignedIn)
      throw error
    })
    const path = await keepCredentials(env, { url, token })
    step(call, `Stored the token in ${path}`)
    call.print({ url, user }, `Signed in to ${url} as ${user.email}\n`)
    call.next('projects')
  }
}

const isForCode = ({ options, stdin }: Call): boolean =>
  options.token !== true && typeof options.tokenFile !== 'string' && stdin.isTTY

async function readToken(call: Call, url: string): Promise<string> {
  const file = call.options.tokenFile
  if (typeof file !== 'string' && call.stdin.isTTY)
    step(call, `Create a token at ${url}/account/tokens and paste it here`)
  const given = typeof file === 'string' ? await readFile(file, 'utf8') : await readSecret(call, 'API token')
  const token = given.trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('Pass only the API token on standard input')
  return token
}

async function keptUrl({ env }: Call): Promise<string> {
  const kept = await readCredentials(env).catch(() => undefined)
  if (!kept) throw new UsageError('Specify the panel: --url https://panel.example.com')
  return kept.url
}

export const logout: Command = {
  name: 'logout',
  about: 'remove the token from this machine',
  example: 'logout',
  async start(call) {
    await forgetCredentials(call.env)
    const text = 'Removed the token from this machine. It stays valid until you revoke it in the dashboard\n'
    call.print({ signedIn: false }, text)
    call.next('login')
  }
}
