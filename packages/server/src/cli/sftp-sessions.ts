import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { countConnectionsTo } from '../infra/sftp-server/connection-count.ts'
import { messageOf } from '../text/message-of.ts'

const pauseMs = 2_000
/** The kernel walks all sockets of the machine for a list: while nobody is connected it is read less and less often. */
const longestPauseMs = 16_000

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
  /** Resolves with whether anybody is connected. */
  const check = async (): Promise<boolean> => {
    const limit = deps.config.SFTP_ACCOUNT_SESSIONS
    const texts = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => ''))
    ) // A family that is off.
    const count = countConnectionsTo(port, texts)
    if (count <= limit) return count > 0
    const ended = await deps.hostHelper.boundSessions(limit)
    if (ended > 0) deps.logger.info({ ended }, 'ended SFTP sessions beyond what an account may have')
    return true
  }
  const checkLoop = async () => {
    for (let waitMs = pauseMs; !signal.aborted;) {
      const isAnyConnected = await check().catch((error: unknown) => {
        deps.logger.warn({ error: messageOf(error) }, 'SFTP sessions')
        return true
      })
      waitMs = isAnyConnected ? pauseMs : Math.min(waitMs * 2, longestPauseMs)
      await sleep(waitMs, undefined, { signal }).catch(() => {}) // Woken to stop.
    }
  }
  const finished = checkLoop()
  return {
    async stop() {
      stopping.abort()
      await finished
    }
  }
}
