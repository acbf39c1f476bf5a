import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { messageOf } from '../../text/message-of.ts'
import type { ContainerEngine, NetworkState } from '../container-engine/container-engine.ts'
import { ownAddress } from '../own-container/own-addresses.ts'
import { createOwnContainer } from '../own-container/own-container.ts'
import type { Run } from '../process/process.ts'
import { activityPort, listenPort, stateDirectory } from './roundcube-files.render.ts'
import { roundcubeRecipe, webmailRole } from './roundcube-recipe.ts'
import { type Webmail, WebmailQueryError } from './webmail.ts'

export interface RoundcubeOptions {
  engine: ContainerEngine
  instanceId: string
  network: () => Promise<NetworkState>
  run: Run
  /** Its own name, and at the gateway of its network the ports of the mail servers. */
  hostname: () => string
  ports: { imaps: number; submission: number; managesieve: number }
  /** With which the passwords of those who are logged in are encrypted in its database: the same at every start. */
  sessionKey: () => Promise<string>
  now?: () => Date
}

const answerWithinMs = 5_000
const maxAnswerBytes = 4 * 2 ** 20
const Answer = z.object({ logins: z.array(z.tuple([z.string(), z.string()])) })

/** Roundcube in a container of its own on the panel's own network, with its database in a volume. */
export function createRoundcube(options: RoundcubeOptions): Webmail {
  const { engine, run, instanceId, network, hostname, ports, sessionKey, now } = options
  // Of this run: a container that another run has left is replaced.
  const secret = randomBytes(32).toString('base64url')
  const container = createOwnContainer({
    engine,
    run,
    instanceId,
    now,
    role: webmailRole,
    recipe: roundcubeRecipe,
    async spec() {
      const { name, subnet, gateway } = await network()
      const at = (port: number) => `${gateway}:${port}`
      return {
        env: {
          PANEL_SECRET: secret,
          PANEL_SESSION_KEY: await sessionKey(),
          PANEL_HOSTNAME: hostname(),
          PANEL_IMAP_SERVER: at(ports.imaps),
          PANEL_SMTP_SERVER: at(ports.submission),
          PANEL_SIEVE_SERVER: at(ports.managesieve)
        },
        network: name,
        address: ownAddress('webmail', { subnet }),
        containerPort: listenPort,
        memoryBytes: 768 * 2 ** 20,
        cpus: 1,
        pids: 128,
        volumes: [{ name: `panel-${instanceId}-webmail`, target: stateDirectory }]
      }
    }
  })
  return {
    ensure: async (call) => void (await container.ensure(call)),
    remove: () => container.remove(),
    async lastLogins(addresses) {
      const { subnet } = await network()
      try {
        const url = `http://${ownAddress('webmail', { subnet })}:${activityPort}/activity.php`
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'x-panel-secret': secret },
          body: JSON.stringify(addresses),
          redirect: 'error',
          signal: AbortSignal.timeout(answerWithinMs)
        })
        const { logins } = Answer.parse(JSON.parse(await boundedText(answer)))
        return new Map(logins.map(([address, at]) => [address, new Date(`${at.replace(' ', 'T')}Z`)]))
      } catch (cause) {
        throw new WebmailQueryError('The webmail database could not be read', { cause: messageOf(cause) })
      }
    }
  }
}

async function boundedText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw new Error('too long an answer')
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  if (!answer.ok) throw new Error(`status ${answer.status}: ${text.slice(0, 300)}`)
  return text
}
