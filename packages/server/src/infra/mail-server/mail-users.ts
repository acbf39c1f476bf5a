import { AdapterError } from '../adapter-error.ts'
import type { Run } from '../process/process.ts'

const timeoutMs = 10_000

/** Ids of a system user that a Debian mail package creates. */
export async function findMailUser(
  name: 'dovecot' | 'postfix' | 'opendkim' | 'postsrsd' | '_rspamd' | 'redis',
  run: Run
): Promise<{ uid: number; gid: number }> {
  const { stdout } = await run(['getent', 'passwd', name], { timeoutMs }).catch((cause: unknown) => {
    throw new AdapterError('mail-server-unavailable', 'The mail servers are not installed', {
      cause,
      reason: `no user ${name}`
    })
  })
  const [, uid, gid] = /^[^:]+:[^:]*:(\d+):(\d+):/.exec(stdout) ?? []
  if (uid === undefined || gid === undefined || uid === '0') throw new Error(`There is no usable user ${name}`)
  return { uid: Number(uid), gid: Number(gid) }
}
