import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { countConnectionsTo } from '../infra/sftp-server/connection-count.ts'
import { messageOf } from '../text/message-of.ts'

const pauseMs = 2_000

/**
 * Ends the sessions that an account has beyond SFTP_ACCOUNT_SESSIONS. sshd knows no such limit: its own is for each connection, and that of
 * PAM counts terminals, of which these have none. Looks at the processes only while the port has more connections than one account may have.
 */
export function startSessionLimit(deps: Pick<Dependencies, 'config' | 'hostHelper' | 'logger'>): {
  stop(): Promise<void>
} {
  const port = deps.config.SFTP_PORT
  const stopping = new AbortController()
  const { signal } = stopping
  const check = async () => {
    const limit = deps.config.SFTP_ACCOUNT_SESSIONS
    const texts = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => ''))
    ) // A family that is off.
    if (countConnectionsTo(port, texts) <= limit) return
    const ended = await deps.hostHelper.boundSessions(limit)
    if (ended > 0) deps.logger.info({ ended }, 'ended SFTP sessions beyond what an account may have')
  }
  const checkLoop = async () => {
    for (; !signal.aborted; await sleep(pauseMs, undefined, { signal }).catch(() => {}))
      // Woken to stop.
      await check().catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'SFTP sessions'))
  }
  const finished = checkLoop()
  return {
    async stop() {
      stopping.abort()
      await finished
    }
  }
}
