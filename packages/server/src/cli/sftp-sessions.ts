import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { countConnectionsTo } from '../infra/sftp-server/connection-count.ts'
import { messageOf } from '../text/message-of.ts'

const pauseMs = 2_000
/** Listing sockets makes the kernel walk all of them, so back off while there is no connection. */
const longestPauseMs = 16_000

/**
 * Ends sessions beyond SFTP_ACCOUNT_SESSIONS. sshd's MaxSessions applies per connection; pam_limits counts terminals.
 */
export function startSessionLimit(deps: Pick<Dependencies, 'config' | 'hostHelper' | 'logger'>): {
  stop(): Promise<void>
} {
  const port = deps.config.SFTP_PORT
  const stopping = new AbortController()
  const { signal } = stopping
  const check = async (): Promise<boolean> => {
    const limit = deps.config.SFTP_ACCOUNT_SESSIONS
    const texts = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => ''))
    ) // Address family disabled.
    const count = countConnectionsTo(port, texts)
    if (count <= limit) return count > 0
    const ended = await deps.hostHelper.boundSessions(limit)
    if (ended > 0) deps.logger.info({ ended }, 'ended SFTP sessions above the limit per account')
    return true
  }
  const checkLoop = async () => {
    for (let waitMs = pauseMs; !signal.aborted;) {
      const isAnyConnected = await check().catch((error: unknown) => {
        deps.logger.warn({ error: messageOf(error) }, 'could not limit SFTP sessions')
        return true
      })
      waitMs = isAnyConnected ? pauseMs : Math.min(waitMs * 2, longestPauseMs)
      await sleep(waitMs, undefined, { signal }).catch(() => {})
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
