import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { features } from '../features/index.ts'
import { setPasswordByAddress } from '../features/password-reset/password-reset.service.ts'
import type { CommandContext } from './command.ts'
import { withStore } from './store.ts'

export const resetPasswordUsage = 'reset-password <email address> [--stdin]'

/** Prints the new password, or with --stdin reads it from stdin; never from arguments, which every process can read. */
export async function resetPassword({ args, env }: CommandContext): Promise<void> {
  const [email, flag, ...rest] = args
  if (email === undefined || email.startsWith('-') || rest.length > 0 || (flag ?? '--stdin') !== '--stdin')
    throw new Error(`Usage: ./panel user ${resetPasswordUsage}`)
  const given = flag === '--stdin' ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  const password = given ?? randomBytes(15).toString('base64url')
  await withStore(env, (store) => setPasswordByAddress({ ...store, features }, email, password))
  if (given === undefined) process.stdout.write(`${password}\n`)
  process.stderr.write(
    `Changed the password of ${email}, revoked its API tokens and ended its sessions. Two-factor is unchanged.\n`
  )
}
