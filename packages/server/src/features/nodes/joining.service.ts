import { createHash, randomBytes } from 'node:crypto'
import { CreateMachine, type CreateJoinCommand, type JoinCommand, type JoinMachine } from '@panel/contract/machines'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { panelUrl } from '../../net/panel-url.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { joinCommand } from './authorize-command.render.ts'
import { readPanelKey } from './nodes.jobs.ts'
import { addMachine } from './nodes.service.ts'
import { isEncryptedByDefault } from './tunnel.policy.ts'

const lifetimeSeconds = 15 * 60

export const joinPath = '/api/machine-joins/use'

interface Waiting extends Pick<CreateMachine, 'name' | 'isEncrypted'> {
  host: string | null
  userId: string
}

const onlyHere = ['localhost', '127.0.0.1', '[::1]']

const keyOf = (token: string): string => `machine-join:${createHash('sha256').update(token).digest('hex')}`

/** A command with which a new machine adds itself, once, within 15 minutes. */
export async function createJoinCommand(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { name, host = null, isEncrypted }: CreateJoinCommand
): Promise<JoinCommand> {
  const base = panelUrl(deps.config)
  if (onlyHere.includes(new URL(base).hostname))
    throw new AppError(
      'CONFLICT',
      `Other machines cannot reach the panel at ${base}. Set its domain in Settings → Domains and addresses, or add the machine without a command.`
    )
  const token = randomBytes(32).toString('base64url')
  const publicKey = await readPanelKey(deps)
  await deps.sessions.set(keyOf(token), JSON.stringify({ name, host, isEncrypted, userId }), lifetimeSeconds)
  await recordAuditAlone(deps, origin, { action: 'machine.join_allowed', actorId: userId, targetId: null, metadata: { name, host, isEncrypted } }) // oxfmt-ignore
  return {
    command: joinCommand({
      publicKey,
      token,
      url: `${base}${joinPath}`,
      needsWireguard: isEncrypted ?? (host === null || isEncryptedByDefault(host))
    }),
    expiresAt: new Date(deps.now().getTime() + lifetimeSeconds * 1000).toISOString()
  }
}

/** Adds the machine that a request comes from. Rejects with LINK_INVALID if the token is not, or no longer, known. */
export async function joinMachine(
  deps: Dependencies,
  origin: AuditOrigin,
  { token, hostKey, port }: JoinMachine
): Promise<string> {
  const known = await deps.sessions.take(keyOf(token))
  if (known === undefined)
    throw new AppError('LINK_INVALID', 'This command was used already or has expired. Create another one in the panel.')
  const { host, userId, ...wanted } = JSON.parse(known) as Waiting
  const machine = CreateMachine.parse({ ...wanted, host: host ?? origin.ip?.replace(/^::ffff:/, ''), port, hostKey })
  const { problems } = await addMachine(deps, origin, userId, machine)
  return [`${machine.name} was added.`, ...problems.map(({ message }) => `${message}.`)].join(' ')
}
