import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import { writeFileAtomically } from '../disk/atomic-file.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import { isRunning } from '../process/is-running.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { signal } from '../process/signal.ts'
import { confinementProblem, renderDropIn } from '../sftp-server/sshd-config.render.ts'
import { readEffectiveConfig } from '../sftp-server/sshd-program.ts'
import type { HostContext } from './host-context.ts'

type Context = Pick<HostContext, 'run' | 'group' | 'projectsDirectory' | 'keysDirectory' | 'sshDirectory'>

const defaultSshDirectory = '/etc/ssh'

/**
 * Makes the machine's SSH server confine the group before one of its accounts gets a password; otherwise that server
 * would allow logins and port forwarding. Keeps the block only if sshd accepts it, applies it to this account and does
 * not change root's settings; otherwise restores the previous file. Does nothing without such a server.
 */
export async function confineInMachineSshd(context: Context, username: string): Promise<void> {
  const config = configOf(context)
  if ((await readIfExists(config)) === undefined) return
  const path = dropInOf(context)
  const wanted = renderDropIn(context)
  const previous = await readIfExists(path)
  const before = await readEffective(context.run, config, 'root')
  if (previous !== wanted) await writeFileAtomically(path, wanted, 0o644)
  try {
    if ((await readEffective(context.run, config, 'root')) !== before)
      throw unavailable('the settings for SFTP accounts would change those of root')
    const problem = confinementProblem(await readEffective(context.run, config, username), context)
    if (problem !== undefined)
      throw unavailable(
        `${problem}; ${config} must start with: Include ${join(sshDirectoryOf(context), 'sshd_config.d/*.conf')}`
      )
  } catch (error) {
    if (previous !== wanted) await putBack(path, previous)
    throw error
  }
  if (previous !== wanted) await reload(context.run, config)
}

export async function releaseMachineSshd(context: Context): Promise<void> {
  const path = dropInOf(context)
  if ((await readIfExists(path)) === undefined) return
  await rm(path, { force: true })
  await reload(context.run, configOf(context))
}

const sshDirectoryOf = ({ sshDirectory = defaultSshDirectory }: Context) => sshDirectory
const configOf = (context: Context) => join(sshDirectoryOf(context), 'sshd_config')
const dropInOf = (context: Context) => join(sshDirectoryOf(context), 'sshd_config.d', `50-${context.group}.conf`)

async function readEffective(run: Run, config: string, username: string): Promise<string> {
  try {
    return await readEffectiveConfig(run, config, username)
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error
    throw unavailable(`its configuration is invalid: ${error.stderr.trim() || messageOf(error)}`, error)
  }
}

async function putBack(path: string, previous: string | undefined): Promise<void> {
  if (previous === undefined) await rm(path, { force: true })
  else await writeFileAtomically(path, previous, 0o644)
}

/** Reloads the sshd of its pid file. An sshd started per connection reads its files anyway. */
async function reload(run: Run, config: string): Promise<void> {
  const pidFile = /^pidfile (\/.+)$/m.exec(await readEffective(run, config, 'root'))?.[1]
  const pid = pidFile === undefined ? Number.NaN : Number(await readIfExists(pidFile))
  if (pid > 1 && (await isRunning(pid, 'sshd'))) signal(pid, 'SIGHUP')
}

const unavailable = (why: string, cause?: unknown) =>
  new AdapterError('sftp-unavailable', 'The SSH server of this machine cannot confine SFTP accounts', {
    cause,
    reason: why
  })
